#!/usr/bin/env bash
# Measures one step of five kernels: with the checks, without them (KIT_CHECKS=0, on one core), and compiled without them (-unchecked).
#
#   tests/benchmark/steps.sh [BUILD_FOLDER] [LIBRARY_FOLDER...]
#
# BUILD_FOLDER contains kitcc; the default is build/course. Each LIBRARY_FOLDER contains another libkit_executor.so, for comparisons on one
# machine; the runs alternate. Prints nanoseconds of processor time, as medians of KIT_RUNS runs (default 5).
set -euo pipefail
export LC_ALL=C KIT_WORKERS=1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "${1:-$root/build/course}")
shift $(($# < 1 ? $# : 1))
libraries=("$build/common/cpu" "$@")
runs=${KIT_RUNS:-5}
source=$root/tests/benchmark/five_kernels.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/kitcc" "$source" -o "$work/checked"
"$build/kitcc" -unchecked "$source" -o "$work/unchecked"

# nanoseconds LIBRARY_FOLDER PROGRAM KERNEL LAUNCHES: prints the processor time of one step.
nanoseconds() { LD_LIBRARY_PATH=$1 "$work/$2" "$3" "$4" times | awk '/ ns$/ { print $2 }'; }
median() { sort -n "$1" | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'; }

echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), medians of $runs, nanoseconds of one core for one step"
printf '%-10s %10s %14s %12s   %s\n' kernel checked KIT_CHECKS=0 -unchecked library
while read -r kernel checked off without; do
    for ((run = 0; run < runs; ++run)); do
        for i in "${!libraries[@]}"; do
            nanoseconds "${libraries[i]}" checked "$kernel" "$checked" >>"$work/$kernel.$i.checked"
            KIT_CHECKS=0 nanoseconds "${libraries[i]}" checked "$kernel" "$off" >>"$work/$kernel.$i.off"
            nanoseconds "${libraries[i]}" unchecked "$kernel" "$without" >>"$work/$kernel.$i.without"
        done
    done
    for i in "${!libraries[@]}"; do
        printf '%-10s %10.1f %14.1f %12.2f   %s\n' "$kernel" "$(median "$work/$kernel.$i.checked")" \
            "$(median "$work/$kernel.$i.off")" "$(median "$work/$kernel.$i.without")" "${libraries[i]}"
    done
done <<END
vadd 1 20 200
matmul 1 2 10
reduce 1 2 5
histogram 1 4 10
scan 1 2 5
END
