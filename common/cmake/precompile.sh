#!/bin/sh
# Runs the compiler. If it makes a precompiled header, ccache may use a cached one only if all bytes of the headers are the same:
# - ccache usually compares preprocessed text, which contains neither comments nor macros. After a change of only these, it would use the
# old header, which defines old macros. CCACHE_DEPEND makes it compare files.
# - With CCACHE_DEPEND, ccache does not make paths relative. Error messages would name the folder in which the header was made first.
# - ccache would read the old precompiled header instead of the headers, so this script removes it.
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
