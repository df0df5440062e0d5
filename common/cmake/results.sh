#!/bin/sh
# The target `results`: records what every demo measures on this machine, and writes everything that follows from the records.
#   results.sh ROOT PROGRAMS KIT_COURSE TOPIC...
# Each demo, PROGRAMS/TOPIC, runs twice. A row is marked as noisy if the two runs differ by more than their spread. The record of the first
# run becomes lectures/TOPIC/results/DEVICE.json. If a demo fails, the record of its topic stays as it was, and the exit status is not 0. At
# the end, the numbers and tables of all pages are written again, and the charts as well if npm is installed.
set -u
root=$1 programs=$2 kit_author=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=""
cd "$root" || exit 1
for topic in "$@"; do
    mkdir -p "$work/first" "$work/second"
    for run in first second; do
        if ! COLUMNS=100 "$programs/$topic" --json "$work/$run" >"$work/$run.log" 2>&1; then
            echo "$topic: the $run run failed; its record stays as it was"
            cat "$work/$run.log"
            failed="$failed $topic"
            break
        fi
    done
    first=$(ls "$work"/first/*.json 2>/dev/null)
    second=$(ls "$work"/second/*.json 2>/dev/null)
    if [ -n "$first" ] && [ -n "$second" ]; then
        echo "$topic: $("$kit_author" compare "$first" "$second" --write)"
        mkdir -p "lectures/$topic/results"
        cp "$first" "lectures/$topic/results/"
        # The output on a second device is not stored: pages show the output on the device that they quote by default.
        if [ "${first##*/}" = h200.json ] || [ ! -e "lectures/$topic/results/h200.json" ]; then
            cp "${first%.json}.txt" "lectures/$topic/results/"
        fi
    fi
    rm -rf "$work/first" "$work/second"
done

echo "Numbers and tables of all pages:"
"$kit_author" numbers --write || failed="$failed numbers"
if command -v npm >/dev/null; then
    cmake --preset docs >/dev/null && cmake --build --preset docs -t plots || failed="$failed charts"
else
    echo "Charts: npm is not installed (apt-get install nodejs && (command -v npm || apt-get install npm)). Afterwards: cmake --preset docs && cmake --build --preset docs -t plots"
fi
if [ -n "$failed" ]; then
    echo "Not done:$failed"
    exit 1
fi
