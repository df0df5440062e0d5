#!/usr/bin/env bash
# Compares the executor with HIP-CPU (github.com/ROCm/HIP-CPU, which needs libtbb-dev) on five kernels: the processor time of the whole
# process, as the median of KIT_RUNS pairs (default 5). Both are compiled with -O3; HIP_OPTIMISE can set a different level for HIP-CPU.
#
#   tests/benchmark/hip_cpu.sh HIP_CPU_FOLDER [BUILD_FOLDER]       BUILD_FOLDER contains kitcc; the default is build/course
#   CPPFLAGS and LDFLAGS locate TBB if it is not installed.
set -euo pipefail
export LC_ALL=C
[ $# -gt 0 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
hip=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${2:-$root/build/course}
runs=${KIT_RUNS:-5}
source=$root/tests/benchmark/five_kernels.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/kitcc" -unchecked "$source" -o "$work/kit"
"$build/kitcc" "$source" -o "$work/hooks"
# shellcheck disable=SC2086  # several flags
g++ -std=c++17 ${HIP_OPTIMISE:--O3} -w -DFOR_HIP_CPU -I"$hip/include" ${CPPFLAGS:-} -x c++ "$source" -o "$work/hip" -x none ${LDFLAGS:-} -ltbb -pthread

# seconds PROGRAM KERNEL LAUNCHES: prints the user and system time together.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/output"; } 2>"$work/time" || { cat "$work/output" >&2; return 1; }
    awk '{ print $1 + $2 }' "$work/time"
}
median() { sort -n "$1" | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'; }

echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), medians of $runs, seconds of the processor"
printf '%-10s %9s %12s %14s %8s %8s\n' kernel HIP-CPU -unchecked KIT_CHECKS=0 ratio ratio
while read -r kernel launches; do
    for ((run = 0; run < runs; ++run)); do
        seconds "$work/hip" "$kernel" "$launches" >>"$work/$kernel.hip"
        seconds "$work/kit" "$kernel" "$launches" >>"$work/$kernel.kit"
        KIT_CHECKS=0 seconds "$work/hooks" "$kernel" "$launches" >>"$work/$kernel.hooks"
    done
    echo "$kernel $(median "$work/$kernel.hip") $(median "$work/$kernel.kit") $(median "$work/$kernel.hooks")"
done <<END | awk '{ printf "%-10s %9.2f %12.2f %14.2f %8.1f %8.1f\n", $1, $2, $3, $4, $3 / $2, $4 / $2 }'
vadd 200
matmul 20
reduce 10
histogram 100
scan 10
END
