#!/usr/bin/env bash
# Measures the time to grade a class: creates a class of N students and grades it.
#
#   tests/benchmark/class.sh BUILD_FOLDER WORK_FOLDER N [ONLY] [option of kit_class...]
#
# BUILD_FOLDER is configured for the CPU backend, with kit_class and the judges built (kit_class --build). All submissions differ, because
# each ends with the number of its student. Of every three, one is the solution, one is a wrong submission of the kit, and one is either of
# them at random. With KILL_AFTER=SECONDS in the environment, the grading is killed after this time and started again; existing verdicts
# must not change. Prints seconds per student and per text, and how many verdicts differ from the one that the kit states for the text.
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER}") work=${2:?WORK_FOLDER} count=${3:?N} only=${4:-}
root=$(realpath "$(dirname "$0")/../..")
shift $(($# < 4 ? $# : 4))
options=("$@")
rm -rf "$work" && mkdir -p "$work/class"
RANDOM=4711
exercises=$(awk '/^topic / { topic = $2 } /^exercise / { print topic, $2 }' "$root/common/course/manifest.txt")

# As for --only of kit_class, TOPIC/NAME selects one exercise, and another text selects all exercises whose names contain it.
chosen() {
    local word
    [ -n "$only" ] || return 0
    for word in ${only//,/ }; do
        if [[ $word == */* ]] && grep -qx "${word/\// }" <<<"$exercises"; then [ "$1" != "$word" ] || return 0
        elif [[ $1 == *"$word"* ]]; then return 0; fi
    done
    return 1
}

while read -r topic name; do
    chosen "$topic/$name" || continue
    # Leaves out wrong submissions that pass: on this backend, in this variant of the exercise, or because the grader does not detect them.
    mapfile -t mistakes < <(awk '/^== / { kind = $2; mistake = $3; next }
        /^-- / { if (kind == "wrong") print mistake; kind = "" }
        /^(backends: gpu|variant:|kind: passed)/ { kind = "" }' "$root/tests/$topic/$name.submissions")
    for ((k = 1; k <= count; ++k)); do
        file=$work/class/$(printf 's%03d' $k)/$topic/$name.cu
        mkdir -p "$(dirname "$file")"
        if ((k % 3 == 1 || (k % 3 == 0 && RANDOM % 2 == 0))); then
            cp "$root/solutions/$topic/$name.cu" "$file"
            echo "$file pass" >>"$work/wanted"
        else
            mistake=${mistakes[RANDOM % ${#mistakes[@]}]}
            "$build/kit_author" expand "$topic/$name" "wrong.$mistake" "$file"
            echo "$file wrong" >>"$work/wanted"
        fi
        echo "// handed in by $k" >>"$file"
    done
done <<<"$exercises"
texts=$(wc -l <"$work/wanted")
begun=$(date +%s.%N)
grade() { "$@" "$build/kit_class" "$work/class" --out "$work/graded" ${only:+--only "$only"} "${options[@]}" 2>"$work/log"; }
verdicts() { find "$work/graded/verdicts" -name '*.json' -printf '%p %i %T@\n' | sort; }
if [ -n "${KILL_AFTER:-}" ]; then
    grade timeout --signal KILL "$KILL_AFTER" || true
    verdicts >"$work/before"
fi
grade || tail -n 3 "$work/log"
ended=$(date +%s.%N)
surprises=0
while read -r file wanted; do
    content=$(sha256sum "$file" | cut -c1-40)
    got=$(sed -n 's/^{"test":"[^"]*","outcome":"\([^"]*\)".*/\1/p' "$work/graded/verdicts/$(cut -d/ -f2-3 <<<"${file#"$work"/class/}" | sed 's/[.]cu$//')/$content.json")
    [ "$got" = "$wanted" ] || { echo "${file#"$work"/class/}: $got, expected $wanted"; surprises=$((surprises + 1)); }
done <"$work/wanted"
if [ -n "${KILL_AFTER:-}" ]; then
    verdicts >"$work/after"
    echo "killed after $KILL_AFTER s with $(wc -l <"$work/before") of $texts verdicts; $(comm -23 "$work/before" "$work/after" | wc -l) of them made again or lost; $(wc -l <"$work/after") in the end"
fi
awk -v s="$begun" -v e="$ended" -v n="$count" -v t="$texts" -v x="$surprises" \
    'BEGIN { printf "%d students, %d texts: %.0f s, %.1f s per student, %.2f s per text; %d surprises\n", n, t, e - s, (e - s) / n, (e - s) / t, x }'
