#!/usr/bin/env bash
# Measures how long students and authors wait on the CPU backend, and the executor itself. It needs two cores that are otherwise idle.
#
#   tests/benchmark/measure.sh [PART...]   PART: empty first verdict quick full ci exercise executor; default: first verdict quick exercise executor
#
#   empty     an empty Debian 12 (made with debootstrap, as root) to the first scoreboard, package installation included
#   first     a fresh clone to the first scoreboard
#   verdict   a fresh clone to the first verdict, with configuring and building; then edit to verdict for every exercise, for the first time and again
#   quick     README's second command on a fresh clone
#   full      the full proof on a fresh clone: with an empty cache, then once more with the cache that the first run has left
#   ci        .ci/run: with an empty cache, then once more with the cache that the first run has left
#   exercise  the processor seconds that each exercise adds to the quick and the full proof; its proof alone
#   executor  the executor's benchmarks, checked and unchecked, and the cost of the checks per kernel
#
# Prints medians of KIT_RUNS runs (default 3) for parts that need a clone. The exit status is 1 if a limit of the kit is exceeded.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runs=${KIT_RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_DIR=$work/ccache
failed=0

now() { date +%s%N; }
seconds_since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }
median() { sort -n | awk '{ at[NR] = $1 } END { print NR % 2 ? at[(NR + 1) / 2] : (at[NR / 2] + at[NR / 2 + 1]) / 2 }'; }
# row WHAT SECONDS [LIMIT]: prints one row of the result.
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
        rm -rf "$CCACHE_DIR" && clone
        solve 00_first_kernel/vector_add
        from=$(now)
        quietly cmake --preset exercises
        quietly cmake --build --preset exercises
        quietly ctest --preset exercises -R 'first_kernel.vector_add$'
        times+=("$(seconds_since "$from")")
    done
    row "git clone to the first verdict" "$(printf '%s\n' "${times[@]}" | median)" 45
    while read -r topic name; do
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
    done < <(awk '/^topic / { topic = $2 } /^exercise / { print topic, $2 }' common/course/manifest.txt)
    row "first verdict of an exercise, the slowest ($slowest_first)" "$first"
    row "edit to verdict, the slowest ($slowest_again)" "$again" 3
}

# median_of LIMIT WHAT empty|cached COMMAND...: runs the command in a fresh clone KIT_RUNS times, and prints the medians of the elapsed
# seconds and of the processor seconds, which it also stores in $processor. The cache is empty for each run, or is that of the previous run.
median_of() {
    local limit=$1 what=$2 cached=$3 from times=() used=()
    shift 3
    for ((run = 0; run < runs; ++run)); do
        [ "$cached" = cached ] || rm -rf "$CCACHE_DIR"
        clone
        from=$(now)
        { TIMEFORMAT='%U %S' && time quietly "$@"; } 2>"$work/used" || { tail -n 30 "$work/log"; exit 1; }
        times+=("$(seconds_since "$from")")
        used+=("$(awk '{ print $1 + $2 }' "$work/used")")
    done
    processor=$(printf '%s\n' "${used[@]}" | median)
    row "$what" "$(printf '%s\n' "${times[@]}" | median)" "$limit"
    row "    of all its processes, processor" "$processor"
    grep -E 'tests passed' "$work/log" || true
}

# The processor seconds of a whole proof, which the part `exercise` needs.
declare -A whole

measure_quick() {
    median_of 300 "README's second command" empty cmake --workflow --preset solutions
    whole[solutions]=$processor
}

measure_full() {
    median_of "" "the full proof, nothing cached" empty cmake --workflow --preset proof
    whole[proof]=$processor
    median_of "" "the full proof, cached" cached cmake --workflow --preset proof
}

measure_ci() {
    median_of 1800 ".ci/run, nothing cached" empty bash .ci/run
    median_of 1000 ".ci/run, cached" cached bash .ci/run
}

# Prints the processor seconds of a proof, for all topics or for none.
processor_seconds() {
    local preset=$1 topics=$2
    rm -rf "$CCACHE_DIR" && clone
    quietly cmake --preset "$preset" -DKIT_BACKEND=CPU -DKIT_TOPICS="$topics"
    { TIMEFORMAT='%U %S' && time quietly cmake --workflow --preset "$preset"; } 2>&1 | awk '{ print $1 + $2 }'
}

# Prints the time of nvcc, if it is installed: it is a part of the full proof in .ci/run.
nvcc_seconds() {
    rm -rf "$CCACHE_DIR" && clone
    quietly cmake --preset gpu -DKIT_TOPICS="$1" -DCMAKE_CUDA_ARCHITECTURES=90 || { echo 0; return; }
    export NVCC_APPEND_FLAGS='-Xcompiler=-O0 -Xcicc=-O0 -Xptxas=-O0'
    { TIMEFORMAT='%U %S' && time quietly cmake --build build/gpu -t kit_accepted; } 2>&1 | awk '{ print $1 + $2 }'
}

measure_exercise() {
    local from count preset all none limit
    clone
    count=$(find exercises -name '*.cu' -path '*/[0-9]*' | wc -l)
    for preset in solutions proof; do
        all=${whole[$preset]:-$(processor_seconds $preset "")} none=$(processor_seconds $preset none) limit=4
        if [ $preset = proof ]; then
            all=$(awk -v a="$all" -v b="$(nvcc_seconds "")" 'BEGIN { print a + b }')
            none=$(awk -v a="$none" -v b="$(nvcc_seconds none)" 'BEGIN { print a + b }')
            limit=8
        fi
        row "each exercise adds to the preset $preset, processor" \
            "$(awk -v a="$all" -v b="$none" -v n="$count" 'BEGIN { printf "%.1f", (a - b) / n }')" $limit
    done
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

[ $# -gt 0 ] || set -- first verdict quick exercise executor
echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), medians of $runs"
for part in "$@"; do
    case $part in
        empty | first | verdict | quick | full | ci | exercise | executor) measure_"$part" ;;
        *) echo "measure.sh: unknown part $part (empty first verdict quick full ci exercise executor)" >&2; exit 2 ;;
    esac
done
exit "$failed"
