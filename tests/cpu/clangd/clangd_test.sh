#!/bin/sh
# Tests that clangd shows no error in the course's files, and shows an error that exists: clangd_test.sh ROOT FOLDER_OF_COMPILE_COMMANDS
root=$1 commands=$2
if ! command -v clangd >/dev/null; then
    echo "clangd is not installed: apt-get install clangd"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Prints the errors that clangd finds in a file.
errors() {
    clangd --compile-commands-dir="$commands" --check="$1" --log=error 2>&1 | grep -E '^E\[[0-9:.]+\] \['
}

failed=0
for file in exercises/00_first_kernel/vector_add.cu exercises/06_histogram/cluster_histogram.cu exercises/playground/saxpy.cu \
    solutions/08_scan/single_pass.cu solutions/16_dynamic_parallelism/quicksort.cu tests/07_reduction/tree_test.cu; do
    if found=$(errors "$root/$file"); then
        printf 'FAIL  %s\n%s\n' "$file" "$found"
        failed=1
    fi
done

cat >"$work/program.cu" <<'EOF'
__global__ void kernel(int* out) { *out = undeclared; }
int main() { kernel<<<1, 1>>>(nullptr); }
EOF
case $(errors "$work/program.cu") in
    *undeclared*) ;;
    *)
        echo "FAIL  an error is not shown"
        failed=1
        ;;
esac
[ "$failed" = 0 ] && echo "clangd shows what is there"
exit "$failed"
