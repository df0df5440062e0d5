#!/bin/sh
# One build step of an exercise. A step that fails leaves its message in a note and no output, and counts as done, so
# that the other exercises are still built; the test of this one shows the note, and the next build tries again.
# Usage: keep_going.sh translate|compile|link NOTE_PREFIX OUTPUT COMMAND...
step=$1 notes=$2 output=$3
shift 3
mkdir -p "${notes%/*}" && rm -f "$notes.$step" || exit 1
for earlier in translate compile; do
    if [ "$earlier" = "$step" ]; then break; fi
    if [ -f "$notes.$earlier" ]; then
        rm -f "$output"
        exit 0
    fi
done
if "$@" >"$notes.$step.partial" 2>&1; then
    cat "$notes.$step.partial"
    rm -f "$notes.$step.partial"
else
    rm -f "$output"
    cat "$notes.$step.partial"
    mv "$notes.$step.partial" "$notes.$step"
fi
