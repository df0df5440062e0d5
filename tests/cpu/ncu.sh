#!/usr/bin/env bash
# Compares the counts of the executor (--profile) with those of Nsight Compute on a GPU, line by line: requests, lanes, sectors of
# global memory and wavefronts of shared memory, for every kernel of the solutions and of the lectures' demos.
#
#   tests/cpu/ncu.sh list    BUILD_FOLDER RECORDS    anywhere; BUILD_FOLDER: preset solutions, kit_proof: the tests' cases
#   tests/cpu/ncu.sh record  BUILD_FOLDER RECORDS    where there is a GPU; BUILD_FOLDER: preset gpu, kit_proof and kit_demos
#   tests/cpu/ncu.sh compare BUILD_FOLDER RECORDS    anywhere; BUILD_FOLDER: preset solutions, kit_proof and kit_demos
#
# The comparison is about accesses as they are written, not about nvcc's optimizations: nvcc merges loads, unrolls
# loops, so that lanes of a warp no longer share an instruction, and keeps values in registers. Configure the preset gpu with
#
#   -DCMAKE_CUDA_FLAGS='-Xcicc --Ofast-compile=mid -Xptxas -O0 -maxrregcount=64'
#
# The tests run each case that both backends have once, with the values and sizes of its name, and the demos with 2^16 elements (the demo
# of 06 with 2^20, because its times must not be negligible next to the profiler's). For each kernel of a test, the launches 1, 2, 4, 7, ...
# are profiled, and for demos the first launch. The demo of 14 launches too many kernels for that (400 s were not enough), and 18
# needs two GPUs: both are skipped. The executor runs forward, in reverse and at random, and the GPU twice: a line whose counts
# vary has no count to compare. `compare` writes tests/cpu/ncu.md. The exit status is 1 if fewer than 95 of 100 lines are
# equal, or if a difference has no reason (tests/cpu/ncu.reasons).
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

arguments_of() {  # PROGRAM, below the build folder: sets `arguments`
    local cases=$records/${1//\//.}.cases name
    arguments=()
    case $1 in
        demo/01_* | demo/16_*.* | demo/17_*) return ;;  # have no size
        demo/06_*) arguments=(--n 1048576) && return ;;
        demo/*) arguments=(--n 65536) && return ;;
    esac
    arguments=(--no-fork --once)
    [ ! -f "$cases" ] || while IFS= read -r name; do arguments+=(--case "$name"); done <"$cases"
}

list_one() {  # PROGRAM
    "$build/$1" --list >"$records/${1//\//.}.cases"
}

record_one() {  # FOLDER PROGRAM: FOLDER is below the records
    local name=$1/${2//\//.} chosen="::regex:.*:^($launches)\$" report cases arguments
    case $2 in demo/*) chosen='::regex:.*:^1$' ;; esac
    cases=$records/${2//\//.}.cases
    if [ -f "$cases" ]; then
        "$build/$2" --list | grep -Fxf "$cases" >"$cases.both" || true
        mv "$cases.both" "$cases"
    fi
    arguments_of "$2"
    report=$records/$name.ncu-rep
    KIT_TIME_FACTOR=20 timeout 400 ncu --clock-control none --metrics "$metrics" --kernel-id "$chosen" --import-source yes -f -o "$report" \
        "$build/$2" "${arguments[@]}" >"$records/$name.log" 2>&1 || echo "$2: ncu ended with status $?, see $name.log"
    [ -f "$report" ] || return 0
    ncu -i "$report" --page source --csv --print-source cuda,sass >"$records/$name.source.csv"
    ncu -i "$report" --page raw --csv | sed -E 's/^(("[^"]*",){9}).*/\1/' >"$records/$name.launches.csv"
    rm "$report"
}

count_one() {  # ORDER PROGRAM
    local name=${2//\//.} arguments
    arguments_of "$2"
    KIT_SCHEDULE=$1 KIT_TIME_FACTOR=20 KIT_KERNEL_SECONDS=100 KIT_PROFILE=$records/$name.${1%:*}.json \
        timeout 300 "$build/$2" "${arguments[@]}" >"$records/$name.${1%:*}.log" 2>&1 ||
        echo "$2: ended with status $?, see $name.${1%:*}.log"
}
export -f arguments_of list_one record_one count_one

cd "$root"  # tests read their files from here
programs() { (cd "$build" && find "$@" -type f -perm -u+x | grep -v -e /18_ -e ^demo/14_ | sort); }
case $command in
    list) programs solution | xargs -P "$(nproc)" -I{} bash -c 'list_one {}' ;;
    record)
        nvidia-smi --query-gpu=name --format=csv,noheader | head -1 >"$records/device.txt"
        mkdir -p "$records/again"
        for folder in . again; do
            (programs solution && programs demo) | xargs -P "$(nproc)" -I{} bash -c "record_one $folder {}"
        done
        ;;
    compare)
        recorded=$(cd "$records" && ls ./*.launches.csv | sed -E 's#^\./([^.]*)\.([^.]*)\.?(.*)\.launches\.csv$#\1/\2/\3#; s#/$##')
        for order in forward reverse random:1; do
            xargs -P "$(nproc)" -I{} bash -c "count_one $order {}" <<<"$recorded"
        done
        "$build/cpu/ncu_compare" "$records" tests/cpu/ncu.reasons tests/cpu/ncu.md "$launches"
        ;;
    *) echo "ncu.sh: $command: list, record or compare" >&2; exit 2 ;;
esac
