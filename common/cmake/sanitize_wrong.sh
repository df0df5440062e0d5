#!/bin/sh
# Shows a wrong submission to the four tools of compute-sanitizer: told in the executor's words, their reports must
# contain the diagnosis that its patch names. Two lines at its top change that:
# // sanitizer.says: TEXT      instead of the diagnosis, where that has words of the exercise and not of the mistake
# // sanitizer.all: WHY NOT    no tool can see the mistake
# Usage: sanitize_wrong.sh PATCH SOURCE PROGRAM      Exit: 0 diagnosed, 1 not, 77 cannot be
set -u
patch=$1 source=$2 program=$3
here=$(dirname "$0")

header_lines() { sed -n -e '/^\/\//!q' -e "s|^// $1: *||p" "$patch"; }

reason=$(header_lines sanitizer.all)
[ -z "$reason" ] || { echo "RESULT skip: no tool is asked: $reason"; exit 77; }
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
[ -n "$sanitizer" ] || { echo "RESULT skip: compute-sanitizer is not installed (CUDA toolkit: cuda-sanitizer)"; exit 77; }

output=$(mktemp)
trap 'rm -f "$output" "$output.words"' EXIT
for tool in memcheck racecheck initcheck synccheck; do
    KIT_TIME_FACTOR=20 timeout 200 "$sanitizer" --tool $tool "$program" --no-fork </dev/null
done >"$output" 2>&1
awk -v source="$source" -f "$here/sanitizer_words.awk" <"$output" >"$output.words"
cat "$output.words"
[ -s "$output.words" ] || { tail -n 20 "$output"; echo "RESULT fail: no tool has found anything"; exit 1; }
wanted=$(header_lines sanitizer.says)
[ -n "$wanted" ] || wanted=$(header_lines diagnosis)
printf '%s\n' "$wanted" | while IFS= read -r text; do
    grep -qF -e "$text" "$output.words" || { echo "not said: $text"; exit 1; }
done || { echo "RESULT fail: found, but not told in the words of the diagnosis"; exit 1; }
echo "RESULT pass: found, and told in the same words"
