#!/usr/bin/env bash
# Shows nvcc all wrong and right submissions: the device code of those of one exercise in one file, each in a namespace of its own,
# as nvcc spends most of its time on what all of them include. A file that it refuses is compiled one by one, and only what it
# refuses then counts.
#
#   tests/nvcc_together.sh BUILD_FOLDER LEAST     the folder: of preset gpu, configured; LEAST: there must be so many
#
# Exit status: 0 only if nvcc has accepted every submission.
set -euo pipefail
[ $# = 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
tests=$(cd "$(dirname "$0")" && pwd)
cd "$1"
work=$PWD/together
rm -rf "$work" && mkdir -p "$work"

objects=$(ninja -t targets all | sed -n 's/^\(.*\.cu\.o\): CUDA_COMPILER.*/\1/p' | grep -E '/(wrong|right)\.')
sources=$(ninja -t targets all | sed -n 's/: CUSTOM_COMMAND$//p' | grep -E '^(wrong|right)/.*\.cu$')
xargs ninja <<<"$sources" | tail -n 1

# A folder for each set of options and folder of sources, with the command and the list of files. Nothing is optimised, as
# nothing is run.
xargs ninja -t commands <<<"$objects" | grep -E -- '-x cu (-rdc=true )?-d?c [^ ]*/(wrong|right)/' | sort -u |
    sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+//; s/ -x cu ((-rdc=true )?)-d?c ([^ ]*) -o .*/ \1\t\3/' |
    while IFS=$'\t' read -r command file; do
        group=$work/$(cksum <<<"$command ${file%/*}" | cut -d' ' -f1)
        mkdir -p "$group"
        echo "$command -x cu -ptx -Xcicc=-O0" >"$group/command"
        echo "$file" >>"$group/files"
    done

# One file: the includes of all, then each submission in a namespace of its own, with its topic's headers, whose functions it defines.
join() {  # FILE...
    local file header number=0 headers
    headers=$(topics_headers "$1" | awk '!seen[$0]++')
    cat "$@" $headers | grep -E '^#include' | grep -vE '"[0-9]+_' | sort -u
    for file in "$@"; do
        number=$((number + 1))
        echo "namespace submission_$number {"
        for header in $headers "$file"; do
            echo "#line 1 \"$header\""
            sed -E 's/^#(include|pragma once).*//' "$header"
        done
        echo "}  // namespace"
        cat $headers "$file" | sed -nE 's/^ *# *define +([A-Za-z_0-9]+).*/#undef \1/p'
    done
}

# The headers of tests/TOPIC that a file includes, each behind those that it includes itself.
topics_headers() {  # FILE
    local header
    for header in $(grep -oE '^#include "[0-9]+_[^"]+"' "$1" | cut -d'"' -f2); do
        topics_headers "$tests/$header"
        echo "$tests/$header"
    done
}

check() {  # GROUP
    local group=$1 command file files
    command=$(cat "$group/command")
    mapfile -t files <"$group/files"
    join "${files[@]}" >"$group/all.cu"
    if $command -o "$group/all.ptx" "$group/all.cu" >"$group/all.log" 2>&1; then
        echo "together ${#files[@]}" >"$group/done"
        return 0
    fi
    echo "alone ${#files[@]}" >"$group/done"
    for file in "${files[@]}"; do
        $command -o "$group/one.ptx" "$file" >"$group/one.log" 2>&1 || { echo "refused: $file"; cat "$group/one.log"; }
    done
}
export -f join topics_headers check
export tests

refused=$(find "$work" -mindepth 1 -type d | xargs -P "$(nproc)" -I{} bash -c 'check {}')
awk '{ n[$1] += $2 } END { printf "nvcc has read %d submissions together and %d one by one\n", n["together"], n["alone"] }' "$work"/*/done
printf '%s' "$refused"
all=$(wc -l <<<"$objects") least=$2 read=$(awk '{ n += $2 } END { print n }' "$work"/*/done)
[ "$read" -eq "$all" ] && [ "$all" -ge "$least" ] ||
    { echo "$read of $all submissions were read, and there should be $least at least: have names changed?"; exit 1; }
[ -z "$refused" ]
