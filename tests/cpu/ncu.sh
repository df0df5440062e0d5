#!/usr/bin/env bash
# Compares what the executor counts (--profile) with what Nsight Compute counts on a GPU, line by line: requests, lanes, sectors of
# global memory and wavefronts of shared memory, for every kernel of the solutions and of the lectures' demos.
#
#   tests/cpu/ncu.sh record  BUILD_FOLDER RECORDS    where there is a GPU; BUILD_FOLDER: preset gpu, kit_proof and kit_demos
#   tests/cpu/ncu.sh compare BUILD_FOLDER RECORDS    anywhere; BUILD_FOLDER: preset solutions, kit_proof and kit_demos
#
# The tests run each case once, the demos with 2^16 elements. Of each kernel that a test launches the 1st, 2nd, 4th, 7th, ... launch are
# looked at, of those of demos the first one. The demo of 14 launches too many kernels for that (400 s were not enough), and 18 needs two
# GPUs. `compare` writes tests/cpu/ncu.md. Exits 1 if fewer than 95 of 100 lines are equal, or if a
# difference has no reason (tests/cpu/ncu.reasons).
set -euo pipefail
[ $# = 3 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
command=$1 build=$(cd "$2" && pwd)
mkdir -p "$3"
records=$(cd "$3" && pwd)
export build records
launches='1|2|4|7|11|16|22|29|37|46'
metrics=inst_executed,thread_inst_executed_true,memory_access_type,memory_access_size_type
metrics+=,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
metrics+=,memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal
export launches metrics

record_one() {  # PROGRAM, below the build folder
    local name=${1//\//.} arguments=(--no-fork --once) chosen="::regex:.*:^($launches)\$" report
    case $1 in demo/*) arguments=(--n 65536) chosen='::regex:.*:^1$' ;; esac
    report=$records/$name.ncu-rep
    timeout 400 ncu --clock-control none --metrics "$metrics" --kernel-id "$chosen" --import-source yes -f -o "$report" \
        "$build/$1" "${arguments[@]}" >"$records/$name.log" 2>&1 || echo "$1: ncu ended with status $?, see $name.log"
    [ -f "$report" ] || return 0
    ncu -i "$report" --page source --csv --print-source cuda,sass >"$records/$name.source.csv"
    ncu -i "$report" --page raw --csv | sed -E 's/^(("[^"]*",){9}).*/\1/' >"$records/$name.launches.csv"
    rm "$report"
}

count_one() {  # PROGRAM
    local name=${1//\//.} arguments=(--no-fork --once)
    case $1 in demo/*) arguments=(--n 65536) ;; esac
    KIT_TIME_FACTOR=20 KIT_KERNEL_SECONDS=100 KIT_PROFILE=$records/$name.json timeout 300 "$build/$1" "${arguments[@]}" >"$records/$name.cpu.log" 2>&1 ||
        echo "$1: ended with status $?, see $name.cpu.log"
}
export -f record_one count_one

cd "$root"  # tests read their files from here
programs() { (cd "$build" && find solution demo -type f -perm -u+x | sort); }
case $command in
    record) programs | xargs -P 8 -I{} bash -c 'record_one {}' ;;
    compare)
        (cd "$records" && ls ./*.launches.csv) | sed -E 's#^\./([^.]*)\.([^.]*)\.?(.*)\.launches\.csv$#\1/\2/\3#; s#/$##' |
            xargs -P "$(nproc)" -I{} bash -c 'count_one {}'
        "$build/cpu/ncu_compare" "$records" tests/cpu/ncu.reasons tests/cpu/ncu.md
        ;;
    *) echo "ncu.sh: $command: record or compare" >&2; exit 2 ;;
esac
