#!/usr/bin/env bash
# Runs every planted mistake under compute-sanitizer and stores the output for agreement_table.sh.
#
#   tests/cpu/checks/agreement.sh BUILD_FOLDER OUTPUT_FOLDER       on a machine with a GPU, after building there
#
# OUTPUT_FOLDER receives list.txt (file, case, our finding) and, for each case and tool, a file whose name begins with the line
# number in list.txt. about.txt describes the machine. A run that takes more than 30 s is stopped, and its file ends with
# "stopped".
set -euo pipefail
build=$1 out=$2
tools="memcheck racecheck initcheck synccheck"
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
mkdir -p "$out"
: >"$out/list.txt"
for program in "$build"/cpu/checks/planted_*; do
    KIT_PLANTED=list "$program" | sed "s|^|$(basename "$program")\t|" >>"$out/list.txt"
done

{
    echo "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), driver" \
        "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)," \
        "compute-sanitizer $("$sanitizer" --version | sed -n 's/^Version \([0-9.]*\).*/\1/p'), $(date +%F)"
} >"$out/about.txt"

show() {  # NUMBER TOOL PROGRAM CASE
    local file=$out/$1.$2
    KIT_PLANTED=$4 timeout -s KILL 30 "$sanitizer" --tool "$2" "$build/cpu/checks/$3" >"$file" 2>&1 </dev/null || true
    grep -q '^========= .*SUMMARY' "$file" || echo stopped >>"$file"
}
export -f show
export out build sanitizer
number=0
while IFS=$'\t' read -r program name _; do
    number=$((number + 1))
    for tool in $tools; do printf '%s\0%s\0%s\0%s\0' "$number" "$tool" "$program" "$name"; done
done <"$out/list.txt" | xargs -0 -n 4 -P "${KIT_JOBS:-8}" bash -c 'show "$@"' _
