#!/usr/bin/env bash
# Run by Gradescope once for each assignment: installs what the kit needs, and builds it. The zip file contains this script, run_autograder,
# assignment.conf and the folder course/, an unchanged checkout.
set -euo pipefail
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install -y g++ cmake ninja-build libboost-context-dev libmd4c-dev nlohmann-json3-dev libarchive-dev bubblewrap

cd course
cmake --preset solutions -DKIT_BACKEND=CPU
cmake --build build/course -t kit_course kit_class
build/course/kit_class --build

# Students' programs will run in this container. Therefore the solutions are removed. The starters that they generate are kept, because they
# show which exercises a student has not edited.
find solutions -name '*.cu' | sed 's|^solutions/\(.*\)[.]cu$|\1|' | while IFS=/ read -r topic name; do
    build/course/kit_course starter "$topic" "$name" "tests/$topic/$name.starter"
done
rm -rf solutions
