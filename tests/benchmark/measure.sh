#!/usr/bin/env bash
# Measures what students and authors wait for on the CPU backend, and the executor itself. Meant for two cores that do nothing else.
#
#   tests/benchmark/measure.sh [PART...]        PART: empty first verdict proof exercise executor; default: all but empty
#
#   empty     an empty Debian 12 (made with debootstrap, as root) to the first scoreboard, package installation included
#   first     a fresh clone to the first scoreboard
#   verdict   a fresh clone to the first verdict; then edit to verdict for every exercise, for the first time and again
#   proof     README's second command on a fresh clone
#   exercise  what one more exercise costs: its proof alone, and its share of the second command
#   executor  the executor's benchmarks, checked and unchecked, and what the checks cost per kernel
#
# Medians of KIT_RUNS runs (default 3) where a clone is measured. A limit of the kit that is not kept makes the exit status 1.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runs=${KIT_RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

now() { date +%s%N; }
seconds_since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }
median() { sort -n | awk '{ at[NR] = $1 } END { print NR % 2 ? at[(NR + 1) / 2] : (at[NR / 2] + at[NR / 2 + 1]) / 2 }'; }
# row WHAT SECONDS [LIMIT]
row() {
    local verdict=""
    if [ -n "${3:-}" ] && awk -v s="$2" -v limit="$3" 'BEGIN { exit !(s > limit) }'; then verdict="  too slow: the limit is $3 s" failed=1; fi
    printf '%-58s %8s s%s\n' "$1" "$2" "$verdict"
}
clone() { cd / && rm -rf "$work/clone" && git -c safe.directory='*' clone -q --no-hardlinks "$root" "$work/clone" && cd "$work/clone"; }
quietly() { "$@" >"$work/log" 2>&1; }
solve() { cp "solutions/$1.cu" "exercises/$1.cu"; }

measure_empty() {
    local suite=$work/debian from times=()
    quietly debootstrap --variant=minbase --include=git,ca-certificates bookworm "$work/pristine"
    for ((run = 0; run < runs; ++run)); do
        rm -rf "$suite" && cp -a "$work/pristine" "$suite"
        cp /etc/apt/sources.list "$suite/etc/apt/" 2>/dev/null || true
        cp -a /etc/apt/sources.list.d /etc/apt/apt.conf.d "$suite/etc/apt/" 2>/dev/null || true
        cp /etc/resolv.conf /etc/hosts "$suite/etc/"
        git -c safe.directory='*' clone -q --no-hardlinks "$root" "$suite/course"
        sed -n '/^```sh/,/^```/p' "$root/README.md" | sed -n 2p >"$suite/first.sh"
        mount -t proc proc "$suite/proc"
        from=$(now)
        quietly chroot "$suite" env DEBIAN_FRONTEND=noninteractive sh -c 'cd /course && sh /first.sh' || true
        times+=("$(seconds_since "$from")")
        umount "$suite/proc"
        grep -q 'Next: ' "$work/log" || { tail -n 20 "$work/log"; echo "measure.sh: no scoreboard" >&2; exit 1; }
    done
    row "an empty Debian 12 to the first scoreboard" "$(printf '%s\n' "${times[@]}" | median)" 75
}

measure_first() {
    local from times=()
    for ((run = 0; run < runs; ++run)); do
        clone
        from=$(now)
        quietly cmake --workflow --preset exercises || true
        times+=("$(seconds_since "$from")")
    done
    row "a fresh clone to the first scoreboard, $(wc -l <"$work/log") lines" "$(printf '%s\n' "${times[@]}" | median)"
}

measure_verdict() {
    local from took times=() first=0 again=0 slowest_first="" slowest_again="" id
    for ((run = 0; run < runs; ++run)); do
        clone
        quietly cmake --workflow --preset exercises || true
        solve 07_reduction/tree
        from=$(now)
        quietly ctest --preset exercises -R 'reduction.tree$'
        times+=("$(seconds_since "$from")")
    done
    row "the first verdict of a fresh clone" "$(printf '%s\n' "${times[@]}" | median)" 40
    while read -r _ topic name _; do
        id=$topic/$name
        for turn in first again; do
            solve "$id"
            echo "// edited: $turn" >>"exercises/$id.cu"
            from=$(now)
            quietly ctest --preset exercises -R "${topic#*_}.$name\$" || { tail -n 20 "$work/log"; echo "measure.sh: $id fails" >&2; exit 1; }
            took=$(seconds_since "$from")
            if [ $turn = first ]; then
                if awk -v a="$took" -v b="$first" 'BEGIN { exit !(a > b) }'; then first=$took slowest_first=$id; fi
            elif awk -v a="$took" -v b="$again" 'BEGIN { exit !(a > b) }'; then
                again=$took slowest_again=$id
            fi
        done
    done < <(grep '^exercise ' build/course/course.txt)
    row "first verdict of an exercise, the slowest ($slowest_first)" "$first"
    row "edit to verdict, the slowest ($slowest_again)" "$again" 3
}

measure_proof() {
    local from times=()
    for ((run = 0; run < runs; ++run)); do
        clone
        from=$(now)
        quietly cmake --workflow --preset solutions || { tail -n 30 "$work/log"; exit 1; }
        times+=("$(seconds_since "$from")")
    done
    row "README's second command" "$(printf '%s\n' "${times[@]}" | median)" 360
    grep -E 'tests passed' "$work/log"
}

measure_exercise() {
    local from
    clone
    quietly cmake --preset solutions
    quietly cmake --build build/course -t kit_course kit_shared
    from=$(now)
    quietly cmake --build build/course -t proof.07_reduction.tree
    row "the proof of one exercise alone (07_reduction/tree)" "$(seconds_since "$from")" 30
}

measure_executor() {
    clone
    quietly cmake --preset solutions -DKIT_BACKEND=CPU
    quietly cmake --build build/course -t benchmark.executor benchmark.checks
    echo "checked, as exercises are graded (a checked kernel runs on one core)"
    build/course/benchmark/executor
    echo
    echo "unchecked (KIT_CHECKS=0)"
    KIT_CHECKS=0 build/course/benchmark/executor
    echo
    echo "kernels of the course on one core, milliseconds: checked, unchecked, ratio"
    paste -d '|' <(build/course/benchmark/checks) <(KIT_CHECKS=0 KIT_WORKERS=1 build/course/benchmark/checks) |
        awk -F '|' '{ name = substr($1, 1, 32); split(substr($1, 33), checked, " "); split(substr($2, 33), plain, " ") }
            checked[2] == "MiB" { printf "%s %10.1f MiB %6.1f MiB\n", name, checked[1], plain[1]; next }
            { printf "%s %10.1f %10.1f %9.1fx\n", name, checked[1], plain[1], checked[1] / plain[1] }'
}

[ $# -gt 0 ] || set -- first verdict proof exercise executor
echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), medians of $runs"
for part in "$@"; do
    case $part in
        empty | first | verdict | proof | exercise | executor) measure_"$part" ;;
        *) echo "measure.sh: unknown part $part (empty first verdict proof exercise executor)" >&2; exit 2 ;;
    esac
done
exit "$failed"
