#!/bin/sh
# Makes the C++ source by which a program holds several submissions of an exercise, and runs the one by whose name it is started
# (common/grader/choose.hpp). Which function of a submission answers which call of the test, the symbols say: the same name and
# types, in the namespace that `kit_author together` gave to the submission.
#
#   choose.sh OUT.cpp NM NAMES SUBMISSIONS.o TEST.o...     e.g. NAMES tree.%, where % stands for the mistake or way; the starter
#                                                          is called tree
set -eu
out=$1 nm=$2 names=$3 submissions=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each line: type, mangled name, and what it means, with a tab between them.
symbols() {
    "$nm" -p "$@" | sed -nE 's/^[0-9a-f]* +([A-Za-z]) ([^ ]+)$/\1\t\2/p' >"$work/mangled"
    "$nm" -p -C "$@" | sed -nE 's/^[0-9a-f]* +[A-Za-z] (.+)$/\1/p' | paste "$work/mangled" -
}
symbols "$submissions" >"$work/submissions"
symbols "$@" >"$work/tests"

awk -F '\t' -v names="$names" '
    BEGIN { rows = calls = 0 }
    FNR == NR {
        if ($1 == "U" || !match($3, /(^|[ (*&<])(wrong|right|starter)_[A-Za-z0-9_]+::/)) next
        space = substr($3, RSTART, RLENGTH)
        sub(/^[ (*&<]/, "", space)
        meaning = $3
        while (at = index(meaning, space)) meaning = substr(meaning, 1, at - 1) substr(meaning, at + length(space))
        if (!(space in row)) { row[space] = rows++; spaces[rows - 1] = space }
        if ($1 ~ /[TW]/) defined[meaning, space] = $2
        else if ($1 == "t") hidden[meaning] = 1
        else data[meaning] = 1
        next
    }
    $1 == "U" && !seen[$3]++ {
        for (r = 0; r < rows; ++r) if (($3, spaces[r]) in defined) break
        if (r < rows) { symbol[calls] = $2; meaning_of[calls++] = $3 }
        else if ($3 in hidden) refuse("the test calls " $3 ", which is static in a submission")
        else if ($3 in data) refuse("the test uses " $3 ", which is no function: only calls can go to the one submission that runs")
    }
    function refuse(sentence) { print names ": " sentence >"/dev/stderr"; failed = 1 }
    END {
        if (!calls) refuse("the test calls nothing that the submissions define")
        print "#define KIT_SUBMISSIONS \\"
        for (r = 0; r < rows; ++r) {
            whole = names
            if (spaces[r] ~ /^starter_/) sub(/[.]%/, "", whole)
            else {
                name = substr(spaces[r], 7, length(spaces[r]) - 8)  # without the word in front and the two colons behind
                if (name in named) refuse("a wrong and a right submission are called " name)
                named[name] = 1
                sub("%", name, whole)
            }
            print "    SUBMISSION(\"" whole "\") \\"
        }
        print "\n#define KIT_CALLS \\"
        for (c = 0; c < calls; ++c) print "    CALL(" c ", \"" symbol[c] "\") \\"
        print "\n#define KIT_FUNCTIONS \\"
        for (r = 0; r < rows; ++r) for (c = 0; c < calls; ++c) {
            if (!((meaning_of[c], spaces[r]) in defined)) refuse(spaces[r] " does not define " meaning_of[c])
            print "    FUNCTION(\"" defined[meaning_of[c], spaces[r]] "\") \\"
        }
        print "\n#include \"grader/choose.hpp\""
        exit failed
    }' "$work/submissions" "$work/tests" >"$work/made"
mv "$work/made" "$out"
