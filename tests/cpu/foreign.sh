#!/bin/bash
# Counts how many third-party programs compile unchanged with kitcc and pass their own check in three orders of threads.
#   tests/cpu/foreign.sh KITCC LIST FOLDER [PATTERN]
# A line of LIST is: folder | sources and options | arguments | regular expression that the output must match
# FOLDER contains the repositories, which foreign.list names; none of their files are part of the course. PATTERN selects lines of LIST. A
# program passes in an order if its status is 0, its output matches (the expression "." also matches no output), and no line contains the
# word FAIL or FAILED. Some programs are too
# slow with the checks, because their size cannot be set. They run with KIT_CHECKS=0, or compiled with -unchecked: passed_no_checks,
# passed_unchecked. A + after a verdict means that the executor reported something in some order. Prints one line for each program, and the
# rates at the end. The output of the programs is stored in FOLDER/said. foreign.md says which reports are correct.
# KIT_KERNEL_SECONDS and FOREIGN_SECONDS (the time for one run; five times as long with -unchecked) can be set.
set -u
[ $# -ge 3 ] && [ -x "$1" ] && [ -f "$2" ] && [ -d "$3" ] || { sed -n '3s/^#  *//p' "$0"; exit 2; }
kitcc=$(realpath "$1") list=$2 programs=$(realpath "$3") pattern=${4:-.}
said=$programs/said
mkdir -p "$said"
export KIT_KERNEL_SECONDS=${KIT_KERNEL_SECONDS:-60}
seconds=${FOREIGN_SECONDS:-120}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

judge() {  # PROGRAM ARGUMENTS EXPRESSION OUTPUT: runs a program in the order KIT_SCHEDULE, and prints the verdict as one word
    eval "timeout $seconds '$1' $2" >"$4" 2>&1 </dev/null
    local status=$?
    if ((status == 124)); then echo too_slow
    elif ((status != 0)); then echo "status_$status"
    elif grep -qawE 'FAIL|FAILED' "$4" || { [ "$3" != . ] && ! grep -qaE "$3" "$4"; }; then echo wrong
    else echo passed
    fi
}

judge_orders() {  # judges a program in three orders, until it fails in one of them; sets verdict, order and reported
    for order in forward reverse random:1; do
        verdict=$(KIT_SCHEDULE=$order judge "$said/$name.program" "$arguments" "$expression" "$said/$name.$order")
        [ -n "$reported" ] || reported=$(grep -am 1 '^kit: ' "$said/$name.$order")
        [ "$verdict" = passed ] || break
    done
}

compile() {  # FLAG...
    eval "'$kitcc' $* $sources -o '$said/$name.program'" >"$said/$name.compiler" 2>&1
}

declare -A count=()
while IFS='|' read -r folder sources arguments expression; do
    folder=$(trim "$folder") expression=$(trim "$expression")
    file=$(grep -oE '[^ ]+\.(cu|cpp)' <<<"$sources" | head -n 1)
    name=${folder//\//_}_${file//\//_}
    verdict=does_not_compile reported=
    if cd "$programs/$folder" && compile; then
        judge_orders
        if [ "$verdict" = too_slow ]; then
            KIT_CHECKS=0 judge_orders
            [ "$verdict" = passed ] && verdict=passed_no_checks
        fi
        if [ "$verdict" = too_slow ] && compile -unchecked; then
            seconds=$((5 * seconds)) judge_orders
            [ "$verdict" = passed ] && verdict=passed_unchecked
        fi
    fi
    rm -f "$said/$name.program"
    case $verdict in
    does_not_compile) sentence=$(grep -am 1 -E 'error|undefined' "$said/$name.compiler") ;;
    passed*) sentence=$reported ;;
    *) sentence="$order: ${reported:-$(tail -n 1 "$said/$name.$order")}" ;;
    esac
    [ -z "$reported" ] || verdict+=+
    echo "$verdict $folder $file $sentence" | cut -c1-300
    count[$verdict]=$((${count[$verdict]:-0} + 1))
done < <(grep -v -e '^#' -e '^ *$' "$list" | grep -E "$pattern")
for verdict in "${!count[@]}"; do echo "$verdict: ${count[$verdict]}"; done | sort
