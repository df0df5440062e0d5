#!/usr/bin/env bash
# Judges must not reject a correct program: every solution, and every right submission that looks unusual, passes as an untrusted worker,
# with a seed that only the judge knows (common/grader/wall.hpp). Submissions with a different method must also get this outcome. Each case
# runs once, without a sandbox. The judge must see results: in at least nineteen of twenty cases, the judge compares at least one result
# itself. For the other cases (counts, calls), the judge relies on the worker.
#
#   tests/classroom/workers.sh BUILD_FOLDER WORK_FOLDER      the programs are built: kit_proof
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER}") work=${2:?WORK_FOLDER}
root=$(realpath "$(dirname "$0")/../..")
rm -rf "$work" && mkdir -p "$work"
cd "$build"

judge_of() {  # solution/TOPIC/NAME[.VARIANT] or right/TOPIC/NAME.SUBMISSION[.VARIANT], or other/...: the solution's program
    local topic name variant
    [ "${1%%/*}" = solution ] && { echo "$1"; return; }
    topic=$(basename "$(dirname "$1")") name=$(basename "$1")
    variant=$(grep -oE '[.]KIT_[A-Z_]+$' <<<"$name" || true)
    echo "solution/$topic/${name%%.*}$variant"
}
try() {
    local log
    log=$work/$(tr / . <<<"$1").log
    KIT_SEED=20261123 KIT_VERDICT=${log%.log}.json timeout 300 "./$(judge_of "$1")" --once --worker "./$1" >"$log" 2>&1 && return
    [ $? -eq 77 ] && return
    [[ "$1" == other/* ]] && grep -q '"outcome":"other_method","sentence"' "${log%.log}.json" && return
    echo "$1 is turned away:"
    tail -n 15 "$log"
    touch "$work/failed"
}

# Prints the programs of a solution or submission: one, or one for each variant. A program that an older build has left is not listed.
programs_of() {
    { compgen -G "$1" || true; compgen -G "$1.KIT_*" || true; } | grep . ||
        { echo "RESULT fail: $1 is not there: build kit_proof" >&2; return 1; }
}

chosen=$(sed -n 's/^chosen //p' course.txt | tr ';' '|')  # the topics of KIT_TOPICS; empty: all topics
exercises=$(awk -v chosen="^(${chosen:-.*})\$" '/^topic / { topic = $2 }
    /^exercise / && topic ~ chosen { print "solution/" topic "/" $2 }' "$root/common/course/manifest.txt")
[ -n "$exercises" ] || { echo "RESULT fail: the manifest has no exercise of the chosen topics"; exit 1; }
programs=$(for exercise in $exercises; do
    programs_of "$exercise" || exit 1
    for way in $(sed -nE 's#^== (right|other) #\1/#p' "$root/tests/${exercise#solution/}.submissions"); do
        programs_of "${way%/*}/${exercise#solution/}.${way#*/}" || exit 1
    done
done)
count=$(wc -l <<<"$programs")
for program in $programs; do try "$program"; done
[ ! -e "$work/failed" ] || { echo "RESULT fail: right programs are turned away"; exit 1; }

cases=$(cat "$work"/solution.*.json | grep -oE '"crossed":[0-9]+' | wc -l)
believed=$(cat "$work"/solution.*.json | grep -cE '"crossed":0[,}]' || true)
for file in "$work"/solution.*.json; do
    found=$(grep -cE '"crossed":0[,}]' "$file" || true)
    [ "$found" -eq 0 ] || echo "$(basename "$file" .json): $found cases are the worker's word"
done
echo "$believed of $cases cases are the worker's word"
((cases >= 10 * $(wc -l <<<"$exercises") && 20 * believed <= cases)) || { echo "RESULT fail: the judge sees too few results"; exit 1; }
echo "RESULT pass: $count programs"
