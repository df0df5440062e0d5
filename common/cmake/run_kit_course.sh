#!/bin/sh
# CTest runs this script: kit_course with a command. If kit_course is not built, it prints how to build it.
# Usage: run_kit_course.sh FOLDER_OF_KIT_COURSE LIST COMMAND [argument...]
folder=$1 list=$2
shift 2
# CTest runs `begin` and `scoreboard` even if it only lists its tests. The command line of CTest, our parent process, shows this.
case $1 in
begin | scoreboard) tr '\0' '\n' <"/proc/$PPID/cmdline" | grep -qxE -e '-N|--show-only(=.*)?|--print-labels' && exit 0 ;;
esac
if [ ! -x "$folder/kit_course" ]; then
    echo "kit_course is not built: cmake --build $folder -t kit_course"
    exit 1
fi
exec "$folder/kit_course" --course "$list" "$@"
