#!/usr/bin/env bash
# Measures the time to grade a class: creates a class of N students and grades it.
#
#   tests/benchmark/class.sh BUILD_FOLDER WORK_FOLDER N [ONLY] [option of kit_class...]
#
# BUILD_FOLDER is configured for the CPU backend, with kit_class and the judges built (kit_class --build). All submissions differ, because
# each ends with the number of its student. Of every three, one is the solution, one is a wrong submission of the kit, and one is either of
# them at random. With KILL_AFTER=SECONDS in the environment, the grading is killed after this time and started again; existing verdicts
# must not change. Prints seconds per student and per text, and how many verdicts differ from the one that the kit states for the text.
#
# With LIMIT=SECONDS in the environment, the script fails if a student takes longer on two cores, or if an estimate of kit_class was wrong by more
# than a factor of two. The limits of the course are 20 s for the six exercises of a week and 90 s for all exercises, so these are the proofs:
#
#   LIMIT=20 tests/benchmark/class.sh build/course /tmp/week 100 07_reduction
#   LIMIT=90 tests/benchmark/class.sh build/course /tmp/all 100
#
# No two submissions are equal, so a student costs the same in a class of any size, and a smaller N shows the same figure. Other programs on the
# machine make the measured time longer. Two idle cores need at least half of the CPU seconds.
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
two_cores=$(command -v taskset >/dev/null && echo "taskset -c 0,1" || true)
grade() { "$@" $two_cores "$build/kit_class" "$work/class" --out "$work/graded" --jobs 2 ${only:+--only "$only"} "${options[@]}" 2>>"$work/log"; }
# Sets `cpu` to the CPU seconds of all children that have ended, which `times` prints in its second line, as "1m2.3s 0m0.4s".
read_cpu() {
    times >"$work/times"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; ++i) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] } print sum }' "$work/times")
}
verdicts() { find "$work/graded/verdicts" -name '*.json' -printf '%p %i %T@\n' | sort; }
"$build/kit_class" --build ${only:+--only "$only"} 2>"$work/log"
read_cpu
cpu_before=$cpu
begun=$(date +%s.%N)
if [ -n "${KILL_AFTER:-}" ]; then
    grade timeout --signal KILL "$KILL_AFTER" || true
    verdicts >"$work/before"
fi
grade || tail -n 3 "$work/log"
ended=$(date +%s.%N)
read_cpu
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
grep -E '^(Built|Graded) in ' "$work/log" || true
awk -v s="$begun" -v e="$ended" -v n="$count" -v t="$texts" -v x="$surprises" -v before="$cpu_before" -v after="$cpu" -v limit="${LIMIT:-0}" \
    'function seconds(number, unit) { return number * (unit ~ /^min/ ? 60 : 1) }
    /^(Built|Graded) in / && NF < 11 {  # a time in hours has more words
        took = seconds($3, $4); said = seconds($(NF - 1), $NF)
        if (said > 2 * took || took > 2 * said) wrong = wrong "; the estimate for \"" $1 "\" is wrong by more than a factor of two"
    }
    END {
        printf "%d students, %d texts: %.0f s, %.1f s per student, %.2f s per text; %.1f CPU s per student; %d surprises\n",
            n, t, e - s, (e - s) / n, (e - s) / t, (after - before) / n, x
        if (limit == 0) exit 0
        if ((e - s) / n > limit) wrong = wrong "; a student takes more than " limit " s"
        if (wrong) { print "RESULT fail" wrong; exit 1 }
        print "RESULT pass: at most " limit " s per student on two cores, and estimates are correct within a factor of two"
    }' "$work/log"
