#!/bin/sh
# How often the executor agrees with programs that others have labelled: ssvlab/esbmc-gpu, regression/cuda, whose folders hold
# main.cu and test.desc, with "VERIFICATION FAILED" or "VERIFICATION SUCCESSFUL" in it. Nothing of them is kept here.
#   tests/cpu/labelled.sh KITCC FOLDER_OF_PROGRAMS [RESULT_TABLE]
# A program is reported if in one of three orders the executor says something (`kit: ...`), or it is killed, or an assertion
# fails. The table has a line for each program: expected, seen, the program, the first sentence. The rates come last.
set -u
[ $# -ge 2 ] && [ -x "$1" ] && [ -d "$2" ] || { sed -n '4s/^#  *//p' "$0"; exit 2; }
kitcc=$1 programs=$2 table=${3:-/dev/stdout}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# What their header call_kernel.h does for the prover: here it launches, and waits.
mkdir "$work/include"
for suffix in "" _c _f _four _fuintint _fuintt _i _intt _three_args_iuull _u _ui _with_three_args _with_two_args; do
    echo "#define ESBMC_verify_kernel$suffix(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__), cudaDeviceSynchronize()"
done >"$work/include/call_kernel.h"
for empty in cutil.h sm_atomic_functions.h; do : >"$work/include/$empty"; done

for description in $(find "$programs" -name test.desc | sort); do
    source=$(dirname "$description")/main.cu
    case $(grep -o 'VERIFICATION [A-Z]*' "$description" | tail -n 1) in
    *FAILED) expected=bad ;;
    *) expected=good ;;
    esac
    name=${source#"$programs"/}
    name=${name%/main.cu}
    if ! "$kitcc" -I "$work/include" "$source" -o "$work/program" >"$work/said" 2>&1; then
        echo "$expected does_not_compile $name $(grep -m 1 -E 'error' "$work/said")"
        continue
    fi
    seen=silent
    for order in forward reverse random:1; do
        KIT_SCHEDULE=$order KIT_KERNEL_SECONDS=5 timeout 20 "$work/program" >"$work/out" 2>"$work/said" </dev/null
        status=$?
        if grep -q '^kit: ' "$work/said"; then seen=reported; fi
        if grep -q 'Assertion .* failed' "$work/said" || [ $status -ge 124 ]; then seen=reported; fi
        [ $seen = silent ] || break
    done
    echo "$expected $seen $name $(grep -m 1 -E '^kit: |Assertion' "$work/said")"
done >"$work/table"

cut -c1-400 "$work/table" >"$table"
for expected in bad good; do
    for seen in reported silent does_not_compile; do
        echo "$expected $seen: $(grep -c "^$expected $seen " "$work/table")"
    done
done
