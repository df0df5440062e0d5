#!/bin/sh
# Removes the precompiled header that a compiler is about to make again, then runs the compiler. ccache would read the old one instead of the
# headers, and would take from the cache what was once made from other headers.
#
#   without_old_header.sh COMPILER ARGUMENT...
previous=
for argument; do
    case $previous$argument in -o*.gch) rm -f "$argument" ;; esac
    previous=$argument
done
exec "$@"
