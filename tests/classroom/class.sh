#!/usr/bin/env bash
# Grades a class of four as an instructor does: two exercises, one archive, one file with a race, one that does not compile, secret cases,
# points. Then the run is stopped in the middle and repeated, and then repeated with a changed kit.
#
#   tests/classroom/class.sh BUILD_FOLDER WORK_FOLDER
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER}") work=${2:?WORK_FOLDER}
root=$(realpath "$(dirname "$0")/../..")
trouble=$("$build/kit_class" --check) || { echo "RESULT skip: $trouble"; exit 77; }
rm -rf "$work" && mkdir -p "$work"/class/{ada,bob,eve,gus}/07_reduction "$work/cases/07_reduction"
cd "$work"
solutions=$root/solutions/07_reduction
cp "$solutions"/{tree,warp_shuffle}.cu class/ada/07_reduction
sed 's/__syncthreads();//' "$solutions/tree.cu" >class/bob/07_reduction/tree.cu
# The test of this exercise reads a text.
mkdir class/ada/06_histogram && cp "$root/solutions/06_histogram/sections.cu" class/ada/06_histogram
cp class/ada/07_reduction/warp_shuffle.cu class/bob/07_reduction
echo '#error a header of the student' >class/bob/07_reduction/kit.cuh  # headers that a student has edited must have no effect
echo 'int x = ;' >class/eve/07_reduction/tree.cu
cp "$root"/exercises/07_reduction/warp_shuffle.cu class/eve/07_reduction
# This submission is correct for all tests that students have, and wrong for the instructor's case.
sed 's/if (n == 0) return;/if (n == 0 || n == 31337) return;/' "$solutions/tree.cu" >class/gus/07_reduction/tree.cu
(cd class/gus && tar -czf ../gus.tar.gz 07_reduction) && rm -r class/gus
cat >cases/07_reduction/tree_test.cu <<'CASE'
// The instructor's: a size that nobody has seen.
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree", argc, argv);
    grader.add("n=31337", [](kit::Case& test) {
        reduction_test::judge(test, reduction::tree, 31337, reduction::kTile, reduction_test::Values::exact);
    });
    return grader.run();
}
CASE
echo '{"points": {"07_reduction/tree": 3}}' >points.json
grade() { "$build/kit_class" class --only 07_reduction/tree,07_reduction/warp_shuffle,06_histogram/sections --cases cases --points points.json --jobs 2 "$@"; }

wrong=0
complain() { echo "$1"; wrong=$((wrong + 1)); }
must_say() {  # FILE TEXT
    grep -qF "$2" "$1" || complain "$1 does not say: $2"
}

# After a stop in the middle, exercises with a verdict must not be graded again.
grade >first.log 2>&1 &
grading=$!
for _ in $(seq 1200); do
    [ "$(find class.graded/verdicts -name '*.json' 2>/dev/null | wc -l)" -ge 2 ] && break
    kill -0 $grading 2>/dev/null || break
    sleep 0.1
done
kill -KILL $grading 2>/dev/null || true
wait $grading || true
find class.graded/verdicts -name '*.json' -exec stat -c '%n %Y %i' {} + | sort >before
grade
find class.graded/verdicts -name '*.json' -exec stat -c '%n %Y %i' {} + | sort >after
[ -z "$(comm -23 before after)" ] || complain "a verdict of the run that was stopped was made again"
[ "$(wc -l <after)" -eq 6 ] || complain "there are $(wc -l <after) different texts, and 6 were handed in"
cp class.graded/class.csv first.csv
grade && cmp class.graded/class.csv first.csv || complain "said again, it comes to another table"

must_say class.graded/class.csv ada,
grep -E '^ada,' class.graded/class.csv | grep -q 'pass,1,pass,3,pass,1' || complain "ada has not passed: $(grep ^ada class.graded/class.csv)"
! grep -E '^(bob|eve|gus),' class.graded/class.csv | grep -q 'pass,3' || complain "a wrong tree has its points"
must_say class.graded/feedback/bob.md race
must_say class.graded/feedback/eve.md exercises/07_reduction/tree.cu:1
must_say class.graded/feedback/gus.md n=31337
! grep -rq "$(cat class.graded/seed)" class.graded/feedback class.graded/class.* class.graded/verdicts || complain "the seed is told"
! grep -rqF "$work" class.graded/feedback || complain "a path of this machine is told"

# If no file of the kit compiles, the student is not at fault: there must be no verdict until the kit compiles again.
echo '// one more' >>class/eve/07_reduction/warp_shuffle.cu
echo 'no library' | tee class.graded/exams/*/libkit_grader.a >/dev/null
grade >broken_kit.log 2>&1 && complain "a broken kit was not noticed"
must_say broken_kit.log "07_reduction/warp_shuffle: the kit's own solution no longer compiles"
[ "$(find class.graded/verdicts -name '*.json' | wc -l)" -eq 6 ] || complain "a broken kit has given a verdict"
rm class.graded/exams/*/libkit_grader.a
grade || complain "the mended kit does not go on"
[ "$(find class.graded/verdicts -name '*.json' | wc -l)" -eq 7 ] || complain "the text that was left has no verdict"

# In the worker, the test has no debug information. Calls of the test itself must still not count as the student's: here, a function of the
# test that the student's code calls launches kernels and host functions, and the grader makes calls of the student fail.
mkdir -p copies/ada/18_multi_gpu && cp "$root/solutions/18_multi_gpu/peer_copy.cu" copies/ada/18_multi_gpu
"$build/kit_class" copies --only 18_multi_gpu/peer_copy --jobs 2 || complain "peer_copy is not graded"
must_say copies.graded/class.csv ada,ada,1,pass

# A bug hunt: bob has repaired the file and names a wrong line, and eve has no answer.
mkdir -p hunts/{bob,eve}/exercises/hunts
for student in bob eve; do cp "$solutions/tree.cu" hunts/$student/exercises/hunts/reduction.tree.1.cu; done
printf 'line: 1\nkind: api\n' >hunts/bob/exercises/hunts/reduction.tree.1.answer
"$build/kit_class" hunts --hunts reduction.tree.1 --jobs 2 || complain "hunts are not graded"
must_say hunts.graded/feedback/bob.md "the file is repaired, but the answer names a wrong line"
must_say hunts.graded/feedback/eve.md "the file is repaired, but there is no file hunts/reduction.tree.1.answer"
must_say hunts.graded/class.csv bob,bob,0,wrong

[ $wrong -eq 0 ] || { cat class.graded/class.csv; echo "RESULT fail: $wrong complaints"; exit 1; }
echo "RESULT pass: a class of four is graded, also in two goes"
