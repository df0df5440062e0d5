#!/usr/bin/env bash
# Runs every solution under many schedules of blocks, warps and lanes on the CPU executor: there must be no report.
#
#   tests/schedules.sh [BUILD_FOLDER [NUMBER]]      default: build/course, 200
#
# The first run of a test has forward, reverse and one random order, the others three random ones, chosen by the seed; so
# are its inputs. Takes minutes; KIT_JOBS runs at once (default: all cores). Exits 1 when a solution fails, and shows the
# first report of each.
set -euo pipefail
build=${1:-build/course}
number=${2:-200}
mapfile -t programs < <(find "$build/solution" -type f -perm -u+x 2>/dev/null | sort)
if ((${#programs[@]} == 0)); then
    echo "schedules.sh: no solutions in $build: cmake --workflow --preset solutions builds them" >&2
    exit 2
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

run() {  # SEED PROGRAM
    local status=0 output
    [ "$1" = 1 ] || export KIT_ORDERS=random
    output=$("$2" --seed "$1" 2>&1) || status=$?
    if ((status != 0 && status != 77)); then printf 'seed %s\n%s\n' "$1" "$output" >"$results/$(echo "${2#"$build"/}" | tr / _).$1"; fi
}
export -f run
export results build
runs=$(((number + 4) / 3))
for ((seed = 1; seed <= runs; ++seed)); do printf '%s\0' "${programs[@]/#/$seed }"; done |
    xargs -0 -P "${KIT_JOBS:-$(nproc)}" -I{} bash -c 'run ${1%% *} "${1#* }"' _ {}

failed=0
for program in "${programs[@]}"; do
    first=$(find "$results" -name "$(echo "${program#"$build"/}" | tr / _).*" | sort | head -n 1)
    [ -z "$first" ] || { failed=$((failed + 1)); echo "$program:"; grep -E '^seed|^FAIL|^ ' "$first"; }
done
echo "${#programs[@]} solutions under forward, reverse and $((3 * runs - 2)) random schedules: $failed with a report"
((failed == 0))
