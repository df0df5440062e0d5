#!/bin/sh
# Prepares a test for programs that contain a student's file: hides names in the test's object, and writes lists of names for
# build_worker.sh.
#
#   hide_names.sh TEST.o SOLUTION.o GRADER.a EXECUTOR.so CONTRACT RESERVED
#
# CONTRACT   receives the names that a submission provides to the test: the test uses them, and the solution defines them.
# RESERVED   receives the names that a submission must not define: the kit defines them, and the solution does not.
# In TEST.o, names become local, except those that it shares with the kit, the C++ library and the solution.
#
# nm prints a name and its type. U: undefined here. T, D, B, R, S, G, C: defined here. W, V, u: defined in every file that includes the same
# header.
set -eu
test=$1 solution=$2 grader=$3 executor=$4 contract=$5 reserved=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Without the format, nm would try the plugins of all compilers, which takes longer than all the rest.
format=$(ld --print-output-format)
names() { nm -P --target="$format" "$@" 2>/dev/null; }
column() { awk "$1"' {print $1}' | sort -u; }  # prints the names in those lines that an awk pattern selects

names -g "$solution" >"$work/solution"
names -g "$test" >"$work/test"
column '$2 != "U"' <"$work/solution" >"$work/solution_has"
names -u "$test" | column NF | comm -12 - "$work/solution_has" >"$contract"
{ names -g "$grader"; names -D "$executor"; } | column '$2 ~ /^[TDBRSGC]$/' | comm -23 - "$work/solution_has" >"$reserved"

shared='^(main$|DW[.]|_Z(N|NK|ZN|ZNK|GV|GVZN|GVZNK)?(S|3kit|9__gnu_cxx|10__cxxabiv1)|_ZT)'
column NF <"$work/solution" >"$work/solution_names"
column '$2 != "U"' <"$work/test" | comm -23 - "$work/solution_names" | grep -vE "$shared" >"$work/local" ||
    echo no_such_name >"$work/local"  # objcopy refuses an empty list
objcopy --localize-symbols="$work/local" --strip-debug "$test"
