#!/bin/sh
# Creates an exercise in a copy of its topic's files. Usage: new_exercise.sh ROOT COPY TOPIC NAME KIT_COURSE
set -e
root=$1 copy=$2 topic=$3 name=$4 kit_author=$5
rm -rf "$copy"
mkdir -p "$copy/tests/$topic" "$copy/exercises/$topic" "$copy/common/course" "$copy/solutions" "$copy/slides"
cp "$root/README.md" "$copy"
cp "$root/common/course/manifest.txt" "$copy/common/course"
cp "$root/tests/$topic/$topic.hpp" "$copy/tests/$topic"
cp "$root/exercises/$topic/README.md" "$copy/exercises/$topic"
cp -r "$root/solutions/$topic" "$copy/solutions"
cp "$root/slides/$topic.md" "$copy/slides"
printf 'root %s\nbuild %s/build\n' "$copy" "$copy" >"$copy/course.txt"
"$kit_author" --course "$copy/course.txt" new_exercise "$topic" "$name" >/dev/null
