#!/bin/sh
# Runs one test program and judges it. The exit status alone never passes: the grader's closing RESULT line must be
# there, bear the token of this very run, and agree with the status. Exit: 0 as it should be, 1 not, 77 cannot run here.
# Usage: run_test.sh --name N --mode M --results DIR --root DIR [option value]... -- PROGRAM [argument]...
set -u
mode=pass name= results= root= backend= submission= notes= again= want_status= expected=
newline='
'
while [ $# -gt 0 ]; do
    case $1 in
        --) shift; break ;;
        --name) name=$2 ;;
        --mode) mode=$2 ;;
        --results) results=$2 ;;
        --root) root=$2 ;;
        --backend) backend=$2 ;;
        --submission) submission=$2 ;;
        --notes) notes=$2 ;;
        --again) again=$2 ;;
        --status) want_status=$2 ;;
        --expect) expected="$expected$2$newline" ;;
        *) echo "run_test.sh: unknown option $1"; exit 2 ;;
    esac
    shift 2
done
program=$1
raw=$results/$name.output
shown=$results/$name.shown

# The outcome of this run, for the scoreboard: one word, then one sentence.
record() { printf '%s\n%s\n' "$1" "$2" >"$results/$name"; }

# conclude STATUS WORD SENTENCE: the last line that a reader sees.
conclude() {
    record "$2" "$3"
    echo "$3"
    exit "$1"
}

show_paths_from_root() { awk -v root="$root/" '{ while (i = index($0, root)) $0 = substr($0, 1, i - 1) substr($0, i + length(root)); print }'; }

# Header lines of a submission: header_lines KEY prints what follows "// KEY:".
header_lines() { sed -n -e '/^\/\//!q' -e "s|^// $1: *||p" "$submission"; }

record wrong "RESULT fail: stopped before it could be judged (time limit?)"

if [ "$mode" = message ]; then
    "$@" >"$raw" 2>&1 </dev/null
    status=$?
    cat "$raw"
    case $want_status/$status/$(tail -n 1 "$raw") in
        77/*) ;;
        */77/"RESULT skip: "*) conclude 77 skip "RESULT skip: the program cannot run here, as it says" ;;
    esac
    case $want_status in
        not*) [ "$status" -ne 0 ] || conclude 1 wrong "RESULT fail: exit status 0, but this must not succeed" ;;
        *) [ "$status" -eq "$want_status" ] || conclude 1 wrong "RESULT fail: exit status $status, not $want_status" ;;
    esac
    tr -s ' \n' '  ' <"$raw" >"$shown"  # CMake breaks its sentences into lines
    printf '%s' "$expected" | while IFS= read -r text; do
        grep -qF -e "$text" "$shown" || { echo "not said: $text"; exit 1; }
    done || conclude 1 wrong "RESULT fail: it did not say what it must"
    conclude 0 pass "RESULT pass: ended and said what it must"
fi

# A program that does not exist did not compile.
if [ -n "$notes" ]; then
    for step in translate compile link; do
        [ -f "$notes.$step" ] || continue
        echo "${submission#"$root"/} does not compile. The compiler says:"
        echo
        show_paths_from_root <"$notes.$step" | sed -n -e '1,30p' -e '31s/.*/... (the rest is left out)/p'
        echo
        conclude 1 broken "RESULT fail: does not compile     again: $again"
    done
fi
if [ ! -x "$program" ]; then
    conclude 1 wrong "RESULT fail: there is no program $program: build it first (cmake --build)"
fi

sanitizer=
case $mode in
    memcheck | racecheck | initcheck | synccheck)
        reason=$(header_lines "sanitizer.$mode"; header_lines sanitizer.all)
        [ -z "$reason" ] || conclude 77 skip "RESULT skip: $mode is not run here: $reason"
        sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
        [ -n "$sanitizer" ] || conclude 77 skip \
            "RESULT skip: compute-sanitizer is not installed (it comes with the CUDA toolkit: cuda-sanitizer)"
        # Cases that make an error on purpose are left out: // sanitizer.case: TEXT names those that stay.
        only=$(header_lines sanitizer.case)
        [ -z "$only" ] || set -- "$@" --case "$only"
        # In one process: a forked child would start CUDA out of the tool's sight. The tools take their time.
        set -- "$sanitizer" --tool "$mode" --error-exitcode 86 "$@" --no-fork
        export KIT_TIME_FACTOR=20
        ;;
    wrong)
        seen_by=$(header_lines backends | sed 's/ .*//')
        this=$(printf %s "$backend" | tr A-Z a-z)
        [ -z "$seen_by" ] || [ "$seen_by" = "$this" ] || conclude 77 skip \
            "RESULT skip: only the $seen_by backend can see this mistake (see the top of ${submission#"$root"/})"
        ;;
esac

token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
KIT_TOKEN=$token KIT_EXERCISE_STAGE=${name%%.*} "$@" >"$raw" 2>&1 </dev/null
status=$?

# Shows the output without the token. A line that poses as a verdict is shown as the program's own.
# The verdict, if any, is the last line, which has the token; it goes to the file .verdict. What compute-sanitizer says
# of itself after it does not count.
: >"$raw.verdict"
awk -v token=" [$token]" -v verdict="$raw.verdict" -v sanitizer="$sanitizer" '
    /^RESULT / {
        at = length($0) - length(token) + 1
        if (at > 0 && substr($0, at) == token) { line = substr($0, 1, at - 1); print line; next }
        print "  | " $0; next
    }
    sanitizer && /^========= / { print; next }
    { line = ""; print }
    END { if (line != "") print line > verdict }' "$raw" >"$shown"
verdict=$(cat "$raw.verdict")
rm -f "$raw.verdict" "$raw"
cat "$shown"

case $verdict in
    "RESULT pass: "*) word=pass must=0 ;;
    "RESULT fail: "*) word=wrong must=1 ;;
    "RESULT open: "*) word=open must=1 ;;
    "RESULT skip: "*) word=skip must=77 ;;
    *)
        how="exit status $status"
        [ "$status" -le 128 ] || how="signal $((status - 128))"
        conclude 1 wrong "RESULT fail: the program ended ($how) without the grader's verdict"
        ;;
esac
if [ "$status" -ne "$must" ]; then
    conclude 1 wrong "RESULT fail: the grader said \"$verdict\", but the exit status is $status"
fi
if [ "$word" = skip ]; then
    record skip "$verdict"
    exit 77
fi

case $mode in
    pass)
        record "$word" "$verdict"
        [ "$word" = pass ]
        ;;
    open)
        [ "$word" = open ] || conclude 1 wrong "RESULT fail: a starter must be reported as open"
        conclude 0 pass "RESULT pass: reported as open, as a starter must be"
        ;;
    wrong)
        [ "$word" = wrong ] || conclude 1 wrong "RESULT fail: this wrong submission was not rejected"
        wanted=$(header_lines diagnosis && header_lines "diagnosis.$this")
        [ -n "$wanted" ] || conclude 1 wrong "RESULT fail: the submission names no diagnosis (// diagnosis: text)"
        grep -v '^  | ' "$shown" >"$raw"
        printf '%s\n' "$wanted" | while IFS= read -r text; do
            grep -qF -e "$text" "$raw" || { echo "not said: $text"; exit 1; }
        done || conclude 1 wrong "RESULT fail: rejected, but not with the diagnosis that it must get"
        rm -f "$raw"
        conclude 0 pass "RESULT pass: rejected, with the right diagnosis"
        ;;
    *)
        grep -q '^========= .*SUMMARY: ' "$shown" || conclude 1 wrong "RESULT fail: $mode did not report"
        [ "$word" = pass ] || conclude 1 wrong "RESULT fail: does not pass under $mode"
        if grep '^========= .*SUMMARY: ' "$shown" | grep -Eqv 'SUMMARY: 0 (errors|hazards displayed \(0 errors, 0 warnings\))'; then
            awk -v source="$submission" -f "$(dirname "$0")/sanitizer_words.awk" <"$shown"
            conclude 1 wrong "RESULT fail: $mode found errors"
        fi
        conclude 0 pass "RESULT pass: clean under $mode"
        ;;
esac
