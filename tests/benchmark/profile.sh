#!/usr/bin/env bash
# Records the output of profiler and sanitizer for the kernels of the lectures. The sections "What a tool shows" quote these records.
#
#   tests/benchmark/profile.sh DEMOS DEVICE [FOLDER]
#
# DEMOS is the folder with the demos (cmake --build --preset gpu -t kit_demos: build/gpu/demo), and DEVICE is the name of the record (h200).
# Writes lectures/TOPIC/results/DEVICE_profile.txt, or FOLDER/TOPIC_profile.txt. Needs a GPU, ncu and compute-sanitizer.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
demos=$(cd "$1" && pwd) device=$2 folder=${3:-}
cd "$(dirname "$0")/../.."
for tool in ncu compute-sanitizer; do
    command -v $tool >/dev/null || { echo "profile.sh: $tool is not installed (it comes with CUDA)" >&2; exit 1; }
done

begin() {  # TOPIC: starts the file of this topic, to which later output is written
    topic=$1
    record=lectures/$topic/results/${device}_profile.txt
    if [ -n "$folder" ]; then record=$folder/${topic}_profile.txt; fi
    { nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed -n '1s/, /, driver /p'
      ncu --version | tail -n 1 | sed 's/ (build.*//; s/^/Nsight Compute, /'
      date +%F; } >"$record"
}

# Prints ncu's output, without its frame, for the first launch of some kernels (or the first LAUNCHES). If there is no output, prints why.
profile() {  # KERNELS METRICS ARGUMENTS_OF_THE_DEMO...
    local kernels=$1 metrics=$2 launches=${LAUNCHES:-1}
    shift 2
    {
        printf '\n$ ncu -k %s -c %s --metrics \\\n' "$kernels" "$launches"
        printf '      %s \\\n' "$metrics"
        printf '      build/gpu/demo/%s\n' "$topic${*:+ $*}"
        timeout 30 ncu --clock-control none -k "$kernels" -c "$launches" --metrics "$metrics" "$demos/$topic" "$@" 2>&1 |
            grep -E 'Context [0-9]+, Stream|__|^==(WARNING|ERROR)==' | grep -vE 'frequencies|GPU clocks|Section:' |
            sed -E 's/^ +//; s/, Context.*//; s/ {2,}/  /g' || true
    } >>"$record"
}

sanitize() {  # ARGUMENTS_OF_THE_DEMO...
    printf '\n$ compute-sanitizer build/gpu/demo/%s\n' "$topic${*:+ $*}" >>"$record"
    compute-sanitizer "$demos/$topic" "$@" 2>&1 | sed -n '/Invalid/,/^=* *$/p' | sed "s#$PWD/##; /^=* *$/q" >>"$record" || true
}

duration=gpu__time_duration.sum
warps=sm__warps_active.avg.pct_of_peak_sustained_active
memory=dram__throughput.avg.pct_of_peak_sustained_elapsed
shared=l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
fma=sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
lanes=smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio
issued=smsp__inst_executed.sum
slots=smsp__issue_active.avg.pct_of_peak_sustained_active
conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
global_reds=lts__t_sectors_op_red.sum
shared_atomics=smsp__inst_executed_op_shared_atom.sum
n='--n 2^28'

begin 01_error_handling
sanitize --part null_write

begin 02_occupancy
profile regex:one_each_v4 launch__registers_per_thread,$warps,$memory --part affine $n
profile regex:ilp_v5 launch__registers_per_thread,$warps,$memory --part affine $n

begin 05_convolution
for kernel in conv1d_v1_basic conv1d_v3_tiled conv1d_v4_fast; do
    profile regex:$kernel $memory,$shared,$fma --part d1_w9 $n
done
profile regex:conv2d_v7_fast $fma,$slots,$issued --part d2_w9 --versions v7 $n
profile regex:conv2d_v10_strips $fma,$slots,$issued --part d2_w9 --versions v10 $n
profile regex:conv2d_v9_fused $fma,$slots,$issued --part sep_w31 --versions v9 $n
profile regex:conv2d_v11_factors $fma,$slots,$issued --part sep_w31 --versions v11 $n

begin 06_histogram
for kernel in sections_v2_atomic privatized_v4; do
    profile regex:$kernel $duration,$global_reds,$shared_atomics --part letters $n
done

begin 07_reduction
for kernel in tree_v1_divergent tree_v2_converged; do
    profile regex:$kernel $lanes,$issued,$duration --part ladder $n
done
profile regex:fast_v8 $memory,$duration --part ladder $n

begin 08_scan
for kernel in blelloch_v3_sweeps blelloch_v4_padded; do
    profile regex:$kernel $conflicts,$duration --part ladder $n
done
for kernel in single_pass_v8 scan_v10_prefetched; do
    profile regex:$kernel $memory,$duration --part ladder $n
done

begin 14_graphs
for version in v1 v2; do
    LAUNCHES=3 profile 'regex:^(blend|stir|finish)$' $duration --part ladder --versions $version
done

begin 16_dynamic_parallelism
profile regex:parent_v1 $duration,launch__grid_size --part family
