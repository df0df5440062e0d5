#!/bin/sh
# Exercises that do not compile must not keep others from being graded, and an edited exercise must never be graded with an old program.
# Usage: broken_exercise_test.sh ROOT FOLDER PREBUILT CMAKE CTEST
root=$1 folder=$2 prebuilt=$3 cmake=$4 ctest=$5
topic=00_first_kernel
rm -rf "$folder/submitted" "$folder/build/results"
mkdir -p "$folder/submitted/$topic" || exit 1

stop() {
    echo "FAIL $1"
    sed 's/^/    /' "$folder/said"
    exit 1
}

# grade: grades, and writes the output for the student to $folder/said.
grade() { LC_ALL=C "$ctest" --test-dir "$folder/build" -L exercise -Q "$@" >"$folder/said" 2>&1; }
says() { grep -qF -e "$1" "$folder/said" || stop "not said: $1"; }

submit() { cp "$root/solutions/$topic/$1.cu" "$folder/submitted/$topic/$1.cu"; }
submit vector_add
submit grid_stride
echo 'int unfinished(' >>"$folder/submitted/$topic/vector_add.cu"
"$cmake" -S "$root" -B "$folder/build" -G Ninja -DKIT_BACKEND=CPU -DKIT_TOPICS=$topic -DKIT_PREBUILT="$prebuilt" \
    -DKIT_EXERCISES_DIR="$folder/submitted" >"$folder/said" 2>&1 || stop "does not configure"

grade && stop "an exercise that does not compile passed"
says "vector_add.cu does not compile. The compiler says:"
says "error: expected"
says "RESULT fail: does not compile"
says "00_first_kernel        ############xxxxxxxxxxxx      1      1     0"
grep -q '<error type="broken"' "$folder/build/results.xml" || stop "the JUnit file does not say so"

# An edit, and then only ctest: the translator refuses a launch.
submit vector_add
echo 'void f() { k<<<1, 2>(); }' >>"$folder/submitted/$topic/vector_add.cu"
grade && stop "a program older than the edit was graded"
says "vector_add.cu does not compile. The compiler says:"
says "vector_add.cu:$(wc -l <"$folder/submitted/$topic/vector_add.cu"):"

# The arguments of a launch do not match its kernel. The error message must not mention the executor's templates.
submit vector_add
echo 'namespace { __global__ void k(int*, int) {} void f(int* p) { k<<<1, 2>>>(3, p); } }' >>"$folder/submitted/$topic/vector_add.cu"
grade && stop "a launch with wrong arguments passed"
says "the kernel takes (int*, int), and this launch passes (int, int*)"
grep -q "launch.hpp" "$folder/said" && stop "the kit's own files are told"

# A failed exercise must show the compiler's warnings, even if it was not rebuilt, and how to grade it again.
submit vector_add
sed -i 's/if (i < n) {/int unused = 1; if (i < n - 1) {/' "$folder/submitted/$topic/vector_add.cu"
for time in first second; do
    grade -R 'vector_add$' && stop "a wrong guard passed"
    says "The compiler warns:"
    says "[-Wunused-variable]"
    says 'only the last element of `c` is never written'
    says "again: ctest --preset exercises -R 'first_kernel.vector_add\$'"
    grep -q "CUDA course" "$folder/said" && stop "one exercise was graded, and the scoreboard is shown"
done

# The exercise is corrected; then only ctest.
submit vector_add
grade || stop "the mended exercise does not pass"

# The same in a terminal, with keys and saves (watch_test.cpp), if doctest is installed.
watch_test=$prebuilt/tests/course/course_model_test
sed 's/if (i < n) {/if (i < n - 1) {/' "$root/solutions/$topic/vector_add.cu" >"$folder/wrong.cu"
if [ -x "$watch_test" ]; then
    KIT_WATCHED="$folder/build/course.txt" KIT_WATCHED_WRONG="$folder/wrong.cu" \
        KIT_WATCHED_RIGHT="$root/solutions/$topic/vector_add.cu" \
        "$watch_test" --test-case='a real exercise' >"$folder/said" || stop "watch does not show what it must"
    grep -Eq 'assertions: +[1-9]' "$folder/said" || stop "the test of watch was skipped"
fi

# The exercise is removed.
rm "$folder/submitted/$topic/grid_stride.cu"
grade && stop "a file that is not there passed"
says "There is no file"
echo "an exercise that does not compile is reported, others are graded, edits are built"
