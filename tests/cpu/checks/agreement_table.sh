#!/usr/bin/env bash
# Writes what agreement.sh has collected into lectures/diagnoses/README.md, between its two markers: how often executor
# and compute-sanitizer agree, and each planted mistake with why the executor is right where the tools are silent.
#
#   tests/cpu/checks/agreement_table.sh OUTPUT_FOLDER_OF_AGREEMENT
set -euo pipefail
in=$1
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/lectures/diagnoses/README.md

# found FILE: + the tool reported something, - nothing, ... it came to no end.
found() {
    if [ "$(tail -n 1 "$1")" = stopped ]; then
        echo "..."
    elif grep -Eq 'SUMMARY: 0 (errors|hazards)' "$1"; then
        echo "-"
    else
        echo "+"
    fi
}

# Why nobody but the executor says so: a letter, explained below the table.
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
        */address/*buffer* | */address/*"end of the array on") echo i ;;
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
$((number - silent)). A + says that the tool reported something, ... that it came to no end.

| planted mistake | executor | memcheck | racecheck | initcheck | synccheck | why silent |
|---|---|:-:|:-:|:-:|:-:|:-:|
$(cat "$table")

Why the executor is right where all four are silent:

- **a** racecheck watches shared memory only. Unordered accesses to global memory are a data race of CUDA's memory model
  all the same; so are atomics whose scope does not reach the other thread.
- **b** None of the tools compares kernels of two streams, copies and host code. Nothing orders them, so the result is
  right by luck only.
- **c** initcheck watches global memory only. What shared memory holds when a block starts is not defined.
- **d** The threads that are missing return without another barrier, and hardware counts a thread that has returned as
  arrived. The programming guide allows a barrier in conditional code only if the condition is the same for the whole
  block; the next change to the kernel makes it hang.
- **e** The guide asks that every lane in the mask that has not exited executes the same intrinsic with the same mask. This GPU got by
  without; what the lanes then receive is not defined.
- **f** The kernel never ends, so the tool never comes to speak. The executor sees that nobody can go on.
- **g** racecheck leaves out pairs in which one access is atomic. The other one is plain, and nothing orders the two.
- **h** racecheck looks at the machine instructions that ran. The source has two unordered accesses; what the compiler
  makes of them may change with its version.
- **i** The bytes lie in the same allocation. Only the names that the grader gives to its buffers have bounds of their
  own.
- **j** The next shared array of the block lies there, so the address is a legal one, for the wrong variable.
- **k** nvcc does not compile this one, so the tools were given the kernel without it.
- **l** Not reported in this run.

TEXT
    sed -n '/<!-- agreement: end -->/,$p' "$page"
} >"$table.page"
cp "$table.page" "$page"
