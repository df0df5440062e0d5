#!/bin/sh
# Builds a program from a student's file and the test of an exercise, in the sandbox and the build folder, and prints the program on
# standard output.
#
#   build_worker.sh FILE.cu TRANSLATE COMPILE LINK GRADER.a TEST.o LIBRARIES CONTRACT RESERVED
#
# TRANSLATE, COMPILE and LINK are commands, and LIBRARIES is a list of files, all quoted for a shell. hide_names.sh creates the test's
# object and the lists CONTRACT and RESERVED. Exit status 42: the file defines names of the kit, which are printed on standard error.
set -eu
file=$1 translate=$2 compile=$3 link=$4 grader=$5 test=$6 libraries=$7 contract=$8 reserved=$9
folder=$(dirname "$file")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    eval "$translate" '"$file" "$work/file.cpp"'
    eval "$compile" -iquote '"$folder" -o "$work/file.o" -c "$work/file.cpp"'

    # Of the names that the file defines, find those of the kit, and those that the test does not use.
    nm -P -g --target="$(ld --print-output-format)" "$work/file.o" >"$work/names"
    awk -v taken="$work/taken" -v own="$work/own" '
        FILENAME == ARGV[1] { reserved[$1]; next }
        FILENAME == ARGV[2] { contract[$1]; next }
        $2 == "U" { next }
        $1 in reserved { print $1 >taken }
        $2 ~ /^[TDBRSGC]$/ && !($1 in contract) { print $1 >own }' "$reserved" "$contract" "$work/names"
    if [ -s "$work/taken" ]; then
        c++filt <"$work/taken"
        exit 42
    fi
    if [ -s "$work/own" ]; then objcopy --localize-symbols="$work/own" "$work/file.o"; fi

    # The kit's own objects come first, so that the linker uses their definitions.
    eval "$link" '-o "$work/program" -Wl,--whole-archive "$grader" -Wl,--no-whole-archive "$test" "$work/file.o"' "$libraries"
} >&2
cat "$work/program"
