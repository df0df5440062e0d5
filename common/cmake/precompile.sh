#!/bin/sh
# Runs the compiler. If it makes a precompiled header, ccache must take it from its cache only if no byte of the headers differs:
# - Its usual comparison, of preprocessed text, sees neither comments nor macros. A header from before such a change would be taken, and
#   would define macros as before. CCACHE_DEPEND compares files.
# - With CCACHE_DEPEND, ccache does not make paths relative. Error messages would name the folder where the header was made first.
# - ccache would read the old precompiled header instead of the headers, so it is removed.
#
#   precompile.sh ROOT COMPILER ARGUMENT...
root=$1
shift
makes_header=
for argument; do
    case $argument in *.gch) makes_header=yes && rm -f "$argument" ;; esac
done
[ "$makes_header" ] || exec "$@"
up=$(realpath --relative-to=. "$root")
for argument; do
    shift
    case $argument in
        -I"$root"/*) argument=-I$up/${argument#-I"$root"/} ;;
        "$root"/*) argument=$up/${argument#"$root"/} ;;
    esac
    set -- "$@" "$argument"
done
CCACHE_DEPEND=1 exec "$@"
