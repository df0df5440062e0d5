#!/bin/sh
# What CTest calls before and after its tests: kit_course begin, kit_course scoreboard (CTestCustom.cmake).
# Usage: around_tests.sh FOLDER_OF_KIT_COURSE LIST COMMAND
if [ ! -x "$1/kit_course" ]; then
    echo "kit_course is not built: cmake --build $1 -t kit_course"
    exit 1
fi
exec "$1/kit_course" --course "$2" "$3"
