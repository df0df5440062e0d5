#!/usr/bin/env bash
# Creates the zip file that Gradescope accepts as an autograder, from an unchanged checkout: make_autograder.sh ZIP [FOLDER].
# FOLDER contains files to change or add: assignment.conf, points.json, cases/.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: make_autograder.sh ZIP [FOLDER]"; exit 2; }
command -v zip >/dev/null || { echo "zip is not installed: apt-get install zip"; exit 1; }
templates=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$templates/../../.." && pwd)
zip=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$templates/setup.sh" "$templates/run_autograder" "$templates/assignment.conf" "$work/"
[ $# -ge 2 ] && cp -R "$2/." "$work/"
mkdir "$work/course"
# The files that grading needs: without slides, pictures, wrong submissions and tests of the kit.
(cd "$root" && git ls-files |
    grep -Ev '^(slides|tests/(cpu|course|docs|benchmark|classroom))/|[.](submissions|screens)$|^lectures/.*[.](svg|json)$' |
    tar cf - -T -) | tar xf - -C "$work/course"
chmod +x "$work/setup.sh" "$work/run_autograder"
rm -f "$zip"
(cd "$work" && zip -qr "$zip" .)
echo "$zip: upload it to Gradescope, Configure Autograder"
