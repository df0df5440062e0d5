#!/bin/sh
# Tests the reports about planted mistakes in programs of kitcc: reports_test.sh KITCC [--accept]. reports.txt has the expected screens;
# --accept writes them.
kitcc=$(realpath "$1") accept=$2
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$folder/reports.cu" . && "$kitcc" reports.cu -o reports || exit 1

# screen NAME [SETTING...]: prints the output of reports.cu for this mistake, with these environment variables.
screen() {
    name=$1
    shift
    printf '\n== %s%s\n' "$name" "${*:+ with $*}"
    env COLUMNS=80 KIT_SCHEDULE=forward "$@" ./reports "$name" 2>&1
}
{
    echo '# What the programs of reports.cu print. `reports_test.sh KITCC --accept` writes it.'
    screen race
    screen three_races
    screen crash
    screen two_variables
    screen two_unnamed_variables
    screen too_short
    screen all_blocks KIT_CHECK_BLOCKS=2
    screen first_blocks KIT_CHECK_BLOCKS=2
    screen first_blocks KIT_CHECK_BLOCKS=4
    screen first_blocks KIT_CHECK_BLOCKS=1
    screen first_blocks KIT_CHECK_BLOCKS=none
} >screens
# The report about the time limit names a line only in some runs, but always contains the advice.
advises() {
    env COLUMNS=80 KIT_KERNEL_SECONDS=0.3 KIT_CHECKS="$1" ./reports too_long >limit 2>&1
    grep -q "$2" limit || { cat limit && echo "no advice about $2" && exit 1; }
}
advises 1 KIT_CHECK_BLOCKS=2
advises 0 'kitcc -unchecked'
if [ "$accept" = --accept ]; then
    cp screens "$folder/reports.txt"
else
    diff -u "$folder/reports.txt" screens && echo "all screens are as expected"
fi
