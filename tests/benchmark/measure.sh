#!/usr/bin/env bash
# Measures what a student waits for on the CPU backend, and the executor itself.
#
#   tests/benchmark/measure.sh [BUILD_FOLDER]      default: build/measure
#
# For each solution: edit it (touch), build its target, run its test. Then all of them at once. Exits 1 when
# one solution takes longer than 3 s or all together take longer than 30 s. Both are meant for two cores
# that do nothing else. At the end: what the checks cost per kernel, and what the shadow memory weighs.
# KIT_EDIT_LIMIT and KIT_ALL_LIMIT change the limits, in seconds.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build/measure}
edit_limit=${KIT_EDIT_LIMIT:-3}
all_limit=${KIT_ALL_LIMIT:-30}
jobs=$(nproc)
log=$build/measure.log

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
in_seconds() { printf '%d.%02d s' $(($1 / 1000)) $(($1 % 1000 / 10)); }
row() { printf '%-52s %9s %9s %9s %6s  %s\n' "$@"; }

# Runs a command quietly and leaves the milliseconds it took in $took; shows its output if it fails.
timed() {
    local start
    start=$(milliseconds)
    if ! "$@" >"$log" 2>&1; then
        tail -n 30 "$log"
        echo "measure.sh: this command failed: $*" >&2
        exit 1
    fi
    took=$(($(milliseconds) - start))
}

failed=0
# judge NAME BUILD_MS TEST_MS LIMIT_S: a line of the table.
judge() {
    local total=$(($2 + $3)) verdict=ok
    if ((total > $4 * 1000)); then
        verdict="too slow"
        failed=1
    fi
    row "$1" "$(in_seconds "$2")" "$(in_seconds "$3")" "$(in_seconds "$total")" "$4 s" "$verdict"
}

mkdir -p "$build"
echo "building everything once in $build"
timed cmake -S "$root" -B "$build" -G Ninja -DKIT_BACKEND=CPU -DKIT_STAGE=solutions
mapfile -t solutions < <(ctest --test-dir "$build" -N -R '^solution\.' | sed -n 's/^ *Test *#[0-9]*: //p')
if ((${#solutions[@]} == 0)); then
    echo "measure.sh: no test is named solution.*, there is nothing to measure" >&2
    exit 1
fi
timed cmake --build "$build" -t "${solutions[@]}" benchmark.executor benchmark.checks
load() { cut -d' ' -f1 /proc/loadavg; }
echo "first build of ${#solutions[@]} solutions: $(in_seconds "$took"); $jobs cores, load $(load)"
echo

# solution.TOPIC.NAME[.VARIANT] is made from solutions/TOPIC/NAME.cu.
source_of() {
    local topic name
    IFS=. read -r _ topic name _ <<<"$1"
    echo "$root/solutions/$topic/$name.cu"
}

row "edit to verdict" build test total limit ""
for solution in "${solutions[@]}"; do
    touch "$(source_of "$solution")"
    timed cmake --build "$build" -t "$solution"
    built=$took
    timed ctest --test-dir "$build" -R "^${solution//./\\.}\$" --no-tests=error
    judge "$solution" "$built" "$took" "$edit_limit"
done

for solution in "${solutions[@]}"; do touch "$(source_of "$solution")"; done
timed cmake --build "$build" -t "${solutions[@]}"
built=$took
timed ctest --test-dir "$build" -R '^solution\.' -j "$jobs" --no-tests=error
judge "all ${#solutions[@]} solutions" "$built" "$took" "$all_limit"

echo
echo "checked, as exercises are graded (a checked kernel runs on one core)"
"$build/benchmark/executor"
echo
echo "unchecked (KIT_CHECKS=0)"
KIT_CHECKS=0 "$build/benchmark/executor"
echo
echo "kernels of the course on one core, milliseconds: checked, unchecked, ratio"
paste -d '|' <("$build/benchmark/checks") <(KIT_CHECKS=0 KIT_WORKERS=1 "$build/benchmark/checks") |
    awk -F '|' '{ name = substr($1, 1, 32); split(substr($1, 33), checked, " "); split(substr($2, 33), plain, " ") }
        checked[2] == "MiB" { printf "%s %10.1f MiB %6.1f MiB\n", name, checked[1], plain[1]; next }
        { printf "%s %10.1f %10.1f %9.1fx\n", name, checked[1], plain[1], checked[1] / plain[1] }'
echo
if ((failed)); then
    echo "beyond a limit; load $(load) on $jobs cores"
else
    echo "within all limits"
fi
exit "$failed"
