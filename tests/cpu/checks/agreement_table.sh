#!/usr/bin/env bash
# Writes the results of agreement.sh between the two markers in lectures/diagnoses/README.md: how many planted mistakes compute-sanitizer
# also reports, and a row for each mistake, with the reason if a tool does not report it.
#
#   tests/cpu/checks/agreement_table.sh OUTPUT_FOLDER_OF_AGREEMENT
set -euo pipefail
in=$1
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/lectures/diagnoses/README.md

# found FILE: prints + if the tool reported something, - if it did not, and ... if it did not finish.
found() {
    if [ "$(tail -n 1 "$1")" = stopped ]; then
        echo "..."
    elif grep -Eq 'SUMMARY: 0 (errors|hazards)' "$1"; then
        echo "-"
    else
        echo "+"
    fi
}

# Returns why only the executor reports a mistake, as a letter that is explained below the table.
reason() {  # PROGRAM FINDING CASE
    case $1/$2/$3 in
        planted_streams/*) echo b ;;
        planted_blocks/race/* | */race/*global*) echo a ;;
        */uninitialised/*) echo c ;;
        */barrier/*) echo d ;;
        */warp/*) echo e ;;
        */deadlock/*) echo f ;;
        */race/*histogram* | */race/*counter*) echo g ;;
        */race/*) echo h ;;
        */address/*buffer* | */address/*"past the end of the array") echo i ;;
        */address/*shared*) echo j ;;
        */constant/*) echo k ;;
        *) echo l ;;
    esac
}

table=$(mktemp)
trap 'rm -f "$table" "$table.page"' EXIT
number=0 silent=0
while IFS=$'\t' read -r program name finding; do
    number=$((number + 1))
    cells=""
    for tool in memcheck racecheck initcheck synccheck; do cells="$cells $(found "$in/$number.$tool") |"; done
    why=""
    case $cells in *+*) ;; *) why=$(reason "$program" "$finding" "$name"); silent=$((silent + 1)) ;; esac
    echo "| ${program#planted_}: $name | $finding |$cells $why |" >>"$table"
done <"$in/list.txt"

{
    sed '/<!-- agreement: begin -->/q' "$page"
    cat <<TEXT

$(cat "$in/about.txt"). Of $number planted mistakes, all of which the executor reports, the four tools together report
$((number - silent)). A + means that the tool reported something, and ... that it did not finish.

| planted mistake | executor | memcheck | racecheck | initcheck | synccheck | why silent |
|---|---|:-:|:-:|:-:|:-:|:-:|
$(cat "$table")

Why the executor is right where all four are silent:

- **a** racecheck checks only shared memory. Unordered accesses to global memory are still a data race in CUDA's memory
  model, and so are atomics whose scope does not include the other thread.
- **b** No tool compares kernels of two streams, copies and host code. Nothing orders these, so the result is correct only
  by luck.
- **c** initcheck checks only global memory. The contents of shared memory are undefined when a block starts.
- **d** The missing threads return without reaching another barrier, and the hardware counts a thread that has returned as
  arrived. The programming guide allows a barrier in conditional code only if the condition is the same for the whole
  block; the next change to the kernel makes it hang.
- **e** The guide requires that every lane in the mask that has not exited executes the same intrinsic with the same mask. This GPU
  did not need that, but the lanes receive undefined values.
- **f** The kernel never ends, so the tool never reports. The executor sees that no thread can continue.
- **g** racecheck leaves out pairs in which one access is atomic. The other access is plain, and nothing orders the two.
- **h** racecheck looks at the machine instructions that ran. The source has two unordered accesses; a different version of the
  compiler may generate different instructions.
- **i** The bytes are in the same allocation. Only the buffers that the grader names have their own bounds.
- **j** The block's next shared array is there, so the address is legal, but belongs to the wrong variable.
- **k** nvcc does not compile this one, so the tools were given the kernel without it.
- **l** Not reported in this run.

TEXT
    sed -n '/<!-- agreement: end -->/,$p' "$page"
} >"$table.page"
cp "$table.page" "$page"
