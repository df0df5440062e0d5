#!/usr/bin/env bash
# Students who attack the grading: each file in attacks.files is placed before the solution of an exercise, which calls it. No result may be
# lost, no other student's grade may change, and the attacker's grade must be the one that the file states. A file with "// seconds: N" is
# graded in a second class, in which a run may take N seconds. In the first class the limit is long, so that no attack is stopped only
# because other programs use the machine.
#
#   tests/classroom/attacks.sh BUILD_FOLDER WORK_FOLDER
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER}") work=${2:?WORK_FOLDER}
root=$(realpath "$(dirname "$0")/../..")
trouble=$("$build/kit_class" --check) || { echo "RESULT skip: $trouble"; exit 77; }
exercise=07_reduction/tree
[ -n "${KEEP:-}" ] || rm -rf "$work"; mkdir -p "$work/class/ann/$exercise" && rmdir "$work/class/ann/$exercise"
cp "$root/solutions/$exercise.cu" "$work/class/ann/$exercise.cu"
attacks=$work/attacks
mkdir -p "$attacks"
awk -v folder="$attacks" '/^== / { file = folder "/" $2; next } file { print >file }' "$root/tests/classroom/attacks.files"
for attack in "$attacks"/*.cu; do
    seconds=$(sed -n 's|^// seconds: ||p' "$attack")
    file=$work/class${seconds:+.$seconds}/$(basename "$attack" .cu)/$exercise.cu
    mkdir -p "$(dirname "$file")"
    { cat "$attack"; sed 's/if (n == 0) return;/attack(); if (n == 0) return;/' "$root/solutions/$exercise.cu"; } >"$file"
done
sed 's/__syncthreads();//' "$root/solutions/$exercise.cu" >"$work/racy.cu"
mkdir -p "$work/class/zoe/07_reduction" && cp "$work/racy.cu" "$work/class/zoe/$exercise.cu"
before=$(cd "$root" && find . -path ./build -prune -o -path ./.git -prune -o -type f -newer "$work/racy.cu" -print | wc -l)

for class in "$work"/class*; do
    seconds=${class#"$work/class"}
    seconds=${seconds#.}
    "$build/kit_class" "$class" --out "$work/graded/$(basename "$class")" --only $exercise --seed 20261123 --memory 700 \
        --seconds "${seconds:-300}" --jobs 2
done

wrong=0
complain() { echo "$1"; wrong=$((wrong + 1)); }
verdict_of() {  # STUDENT: the verdict's file
    local name file
    for file in "$work"/graded/*/verdicts/$exercise/*.json; do
        name=$(basename "$file" .json)
        if cmp -s "${file%/verdicts/*}/contents/$name/exercises/$exercise.cu" "$work"/class*/"$1/$exercise.cu"; then echo "$file"; fi
    done
}
expect() {  # STUDENT OUTCOME [TEXT]
    local file
    file=$(verdict_of "$1")
    [ -n "$file" ] || { complain "$1 has no verdict"; return; }
    [ "$2" = any ] || grep -q "^{\"test\":\"[^\"]*\",\"outcome\":\"$2\"" "$file" || complain "$1 must be $2: $(tail -c 900 "$file")"
    [ -z "${3:-}" ] || grep -qF "$3" "$file" || complain "$1: nothing says \"$3\": $(head -c 1500 "$file")"
    ! grep -q "ATTACK WORKED" "$file" || complain "$1: $(grep -o 'ATTACK WORKED[^\\]*' "$file" | head -n 3)"
}
for attack in "$attacks"/*.cu; do
    expect "$(basename "$attack" .cu)" "$(sed -n 's|^// outcome: ||p' "$attack")" "$(sed -n 's|^// says: ||p' "$attack")"
done
expect ann pass
expect zoe wrong race
! pgrep -f a_survivor_of_the_grading >/dev/null || complain "a process has survived"
! grep -rqF 20261123 "$work"/graded/*/verdicts || complain "the seed stands in a verdict"
after=$(cd "$root" && find . -path ./build -prune -o -path ./.git -prune -o -type f -newer "$work/racy.cu" -print | wc -l)
[ "$before" = "$after" ] || complain "files of the checkout have changed"
[ $wrong -eq 0 ] || { echo "RESULT fail: $wrong attacks were not stopped as they must be"; exit 1; }
echo "RESULT pass: $(find "$attacks" -name '*.cu' | wc -l) attacks"
