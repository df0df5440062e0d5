#!/bin/sh
# Runs the notebook from its first cell to its last, in a copy of the course, with the distribution's Jupyter. Its attempt must be rejected
# for its mistake, and the file that it replaces must be kept.
# Usage: notebook.sh ROOT FOLDER PREBUILT
set -u
root=$1
folder=$2
prebuilt=$3

skip() {
    echo "skipped: $1"
    echo "RESULT skip"
    exit 77
}
fail() {
    echo "notebook.sh: $1"
    tail -n 40 "$folder/said"
    exit 1
}

command -v jupyter >/dev/null && jupyter nbconvert --version >/dev/null 2>&1 && [ -d /usr/share/jupyter/kernels/python3 ] ||
    skip "Jupyter is not installed: apt-get install jupyter-nbconvert python3-ipykernel"
rm -rf "$folder"
mkdir -p "$folder/course"
(cd "$root" && { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print; } |
    while read -r name; do [ -f "$name" ] && echo "$name"; done | tar cf - -T -) |
    tar xf - -C "$folder/course" || fail "the checkout is not copied"

starter=exercises/00_first_kernel/grid_stride.cu
cd "$folder/course" || exit 1
HOME=$folder LC_ALL=C KIT_OPTIONS="-DKIT_BACKEND=CPU -DKIT_PREBUILT=$prebuilt" jupyter nbconvert --to notebook --execute \
    --ExecutePreprocessor.timeout=300 --output "$folder/executed.ipynb" exercises/notebook.ipynb >"$folder/said" 2>&1 ||
    fail "a cell fails"

jupyter nbconvert --to markdown --stdout "$folder/executed.ipynb" >"$folder/said" 2>/dev/null || fail "cannot be read"
for text in "Backend: CPU" "TODO(1) is open" "RESULT fail" 'race on `y\[' "^ *wrong - " "my_exercises.tar.gz"; do
    grep -q -- "$text" "$folder/said" || fail "expected to read: $text"
done
cmp -s "$root/$starter" "build/before/grid_stride.cu" || fail "what the notebook replaced is not kept"
grep -q "a first attempt" "$starter" || fail "the attempt was not written"
grep -q '"outputs": \[\]' "$root/exercises/notebook.ipynb" && ! grep -q '"output_type"' "$root/exercises/notebook.ipynb" ||
    fail "the notebook that is handed out holds the outputs of somebody's run"
echo "RESULT pass: the notebook runs to its end"
