#!/bin/sh
# Tests that the copy for students can be built and graded, and does not show a solution.
# Usage: student_copy_test.sh ROOT FOLDER PREBUILT CMAKE CTEST
root=$1 folder=$2 prebuilt=$3 cmake=$4 ctest=$5
copy=$folder/copy said=$folder/said
rm -rf "$folder"
mkdir -p "$folder" || exit 1

stop() {
    echo "FAIL $1"
    sed 's/^/    /' "$said"
    exit 1
}
says() { grep -qF -e "$1" "$said" || stop "not said: $1"; }

# Finds the lines that starters lack, without comments and white space. Lines with fewer than six characters do not show anything, and neither
# does a wait for the device, which most programs contain.
bare='function bare(line) {
    sub(/\/\/.*/, "", line); gsub(/[ \t]/, "", line)
    return length(line) < 6 || line == "CUDA_CHECK(cudaDeviceSynchronize());" ? "" : line
}'
find "$root/solutions" -name '*.cu' -exec awk "$bare"'
    /^ *\/\/ END SOLUTION/ { inside = 0 }
    inside && !/^ *\/\/ (STARTER|\[)/ && bare($0) != "" { print bare($0) }
    /^ *\/\/ BEGIN SOLUTION/ { inside = 1 }' {} + | sort -u >"$folder/marked"
# given_away FILE...: prints FILE:LINE: CODE for each line in a file that is in a solution but in no starter.
given_away() {
    find "$copy/exercises" -name '*.cu' -exec awk "$bare"'{ print bare($0) }' {} + | sort -u >"$folder/given"
    comm -23 "$folder/marked" "$folder/given" >"$folder/secret"
    awk "$bare"'NR == FNR { secret[$0]; next } bare($0) in secret { print FILENAME ":" FNR ": " $0 }' "$folder/secret" "$@"
}

"$prebuilt/kit_author" student "$copy" >"$said" 2>&1 || stop "the copy is not made"
says "give students this folder"
for gone in solutions slides .ci tests/cpu tests/kit tests/course common/docs common/course/author lectures/instructors_guide.md; do
    test ! -e "$copy/$gone" || stop "$gone is in the copy"
done
find "$copy" -name '*.submissions' -o -name '*.screens' -o -name 'demo.cu' -o -name results >"$said"
test ! -s "$said" || stop "in the copy"
given_away $(find "$copy/lectures/"[0-9]* "$copy/exercises" -type f) >"$said"
test ! -s "$said" || stop "lectures or exercises of the copy give away"
# In other files, a single line such as "return error;" can be a coincidence; two consecutive lines cannot.
given_away $(find "$copy/common" "$copy/tests" "$copy/lectures/diagnoses" -type f) |
    awk -F: '{ if ($1 == file && $2 == line + 1) print; file = $1; line = $2 }' >"$said"
test ! -s "$said" || stop "the copy gives away"
sed -n 's/^hunt[.]\(symptom\|hint\): //p' "$root"/tests/*/*.submissions >"$folder/told"
grep -rlFf "$folder/told" "$copy/tests" >"$said" && stop "bug hunts that can be read are in the copy"
test -s "$copy/tests/hunts.packed" || stop "no bug hunts are in the copy"
given_away $(find "$root/lectures" -name README.md) >"$said"
test -s "$said" || stop "lectures of the course fold nothing away, or this test finds nothing"

"$cmake" --list-presets=all "$copy" >"$said" 2>&1 || (cd "$copy" && "$cmake" --list-presets=all >"$said" 2>&1) || stop "no presets"
says '"exercises"'
grep -qE '"(solutions|demo|docs|gpu|sanitize)"' "$said" && stop "presets of what is not there"
(cd "$copy" && "$cmake" --preset exercises -DKIT_BACKEND=CPU -DKIT_PREBUILT="$prebuilt") >"$said" 2>&1 || stop "does not configure"
"$prebuilt/kit_author" --course "$copy/build/course/course.txt" check links >"$said" 2>&1 || stop "links lead nowhere"

topic=00_first_kernel
cp "$root/solutions/$topic/vector_add.cu" "$copy/exercises/$topic/"
(cd "$copy" && LC_ALL=C "$ctest" --preset exercises -R first_kernel) >"$said" 2>&1 && stop "an open exercise passed"
says "RESULT pass: "
says "exercise.$topic.vector_add"
says "00_first_kernel/grid_stride, TODO(1) is open"

# A bug hunt comes out of the packed file, and its program is built and rejected.
hunt() { (cd "$copy" && "$prebuilt/kit_course" --course "$copy/build/course/course.txt" hunt "$@") >"$said" 2>&1; }
hunt coalesce.1 && stop "a hunt shows code of an exercise that is not solved"
says "--anyway"
hunt coalesce.1 --anyway || stop "no bug hunt is given"
says "cases fail"
test -s "$copy/exercises/hunts/memory_access.coalesce.1.cu" || stop "the program with a mistake is not there"
hunt answer 1 race && stop "a wrong answer is right"
says "Line 1 of the given file is:"

"$prebuilt/kit_author" student "$copy" >"$said" 2>&1 && stop "somebody's work was replaced"
says "vector_add.cu: a student has worked on it"
echo "the copy for students builds, grades, and gives nothing away"
