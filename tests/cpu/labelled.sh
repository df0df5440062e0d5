#!/bin/sh
# Counts how often the executor agrees with the labels of third-party programs: ssvlab/esbmc-gpu, regression/cuda, whose folders contain
# main.cu and test.desc, which says "VERIFICATION FAILED" or "VERIFICATION SUCCESSFUL". None of their files are part of the course.
#   tests/cpu/labelled.sh KITCC FOLDER_OF_PROGRAMS [RESULT_TABLE]
# A program counts as reported if, in one of three orders, the executor prints a report (`kit: ...`), the program is killed, or an assertion
# fails. Programs that kitcc refuses are also compiled with nvcc (NVCC), if it is installed: if both refuse a program, it is not valid in
# CUDA 13. The table has a line for each program: expected, seen, the program, the first sentence. The rates are at the end; labelled.md
# says which reports are correct.
set -u
[ $# -ge 2 ] && [ -x "$1" ] && [ -d "$2" ] || { sed -n '4s/^#  *//p' "$0"; exit 2; }
kitcc=$(realpath "$1") programs=$(realpath "$2") table=${3:-/dev/stdout}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# The labelled programs need headers of the prover: its cuda.h includes call_kernel.h, whose functions call a kernel instead of <<<>>>, and
# declares functions that CUDA has since removed. The headers here launch the kernel and wait; cutil.h is that of CUDA's samples before
# version 5.
mkdir "$work/include"
{
    echo '#pragma once'
    printf '#include <%s>\n' cassert cstdlib cstring
    for suffix in "" _c _f _four _fuintint _fuintt _i _intt _three_args_iuull _u _ui _with_three_args _with_two_args; do
        echo "#define ESBMC_verify_kernel$suffix(kernel, grid, block, ...)" \
            "kernel<<<grid, block>>>(__VA_ARGS__), cudaDeviceSynchronize()"
    done
    echo '#define cudaThreadSynchronize cudaDeviceSynchronize'
} >"$work/include/call_kernel.h"
{
    for call in CUDA_SAFE_CALL CUT_SAFE_CALL CUT_SAFE_MALLOC; do echo "#define $call(call) call"; done
    for nothing in CUT_DEVICE_INIT CUT_CHECK_ERROR CUT_EXIT; do echo "#define $nothing(...)"; done
    for timer in cutCreateTimer cutDeleteTimer cutStartTimer cutStopTimer; do echo "#define $timer(...)"; done
    echo '#define cutGetTimerValue(...) 0.0f'
    echo '#define CUT_BANK_CHECKER(array, index) array[index]'
} >"$work/include/cutil.h"
: >"$work/include/sm_atomic_functions.h"

compiled() {  # COMPILER: compiles $source to $work/program, and returns success if that worked
    "$1" -I "$work/include" -include call_kernel.h "$source" -o "$work/program" >"$work/said" 2>&1
}

for description in $(find "$programs" -name test.desc | sort); do
    source=$(dirname "$description")/main.cu
    [ -f "$source" ] || continue
    case $(grep -o 'VERIFICATION [A-Z]*' "$description" | tail -n 1) in
    *FAILED) expected=bad ;;
    *SUC*SFUL) expected=good ;;
    *) continue ;;
    esac
    name=${source#"$programs"/}
    name=${name%/main.cu}
    seen=silent
    if compiled "$kitcc"; then
        for order in forward reverse random:1; do
            (cd "$work" && KIT_SCHEDULE=$order KIT_KERNEL_SECONDS=5 timeout 20 ./program >out 2>said </dev/null)
            status=$?  # runs in its own folder, because some programs write files
            if grep -q -e '^kit: ' -e 'Assertion .* failed' "$work/said" || [ $status -ge 124 ]; then seen=reported; break; fi
        done
        sentence=$(grep -m 1 -E '^kit: |Assertion' "$work/said")
    else
        sentence=$(grep -m 1 error "$work/said")
        seen=does_not_compile
        if command -v "${NVCC:-nvcc}" >/dev/null && ! compiled "${NVCC:-nvcc}"; then seen=no_cuda_13; fi
    fi
    echo "$expected $seen $name $sentence" | cut -c1-400
done | tee "$work/table" >"$table"

for expected in bad good; do
    for seen in reported silent does_not_compile no_cuda_13; do
        echo "$expected $seen: $(grep -c "^$expected $seen " "$work/table")"
    done
done
