#!/bin/sh
# Tests an installed kitcc: install_test.sh CMAKE BUILD COURSE. Installs kitcc, moves the folder, and builds a project that has a makefile.
# No command that this runs may name the folder of the course, because a user can delete that folder.
cmake=$1 build=$2 course=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    printf 'FAIL  %s\n%s\n' "$1" "$2"
    exit 1
}

log=$("$cmake" --install "$build" --prefix "$work/first" 2>&1) || fail "cmake --install" "$log"
mv "$work/first" "$work/a place"
toolkit="$work/a place"
mkdir "$work/project"
cd "$work/project" || exit 1
cat >kernel.cu <<'EOF'
#include <cooperative_groups.h>
#include "kernel.h"
__global__ void race(int* p) { *p = threadIdx.x; }
__global__ void fill(int* p) { p[threadIdx.x] = cooperative_groups::this_thread_block().size(); }
int run(int wrong) {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    fill<<<1, 64>>>(d);
    if (wrong) race<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h[63];
}
EOF
echo 'int run(int wrong);' >kernel.h
printf '#include <cstdio>\n#include <cuda_runtime.h>\n#include "kernel.h"\nint main(int argc, char**) { cudaDeviceSynchronize(); std::printf("%%d\\n", run(argc > 1)); }\n' >main.cpp
cat >Makefile <<'EOF'
by_nvcc: main.o kernel.o
	"$(NVCC)" $^ -o $@
by_host: main.o kernel.o
	$(CXX) $^ -o $@ -L"$(CUDA_PATH)/lib64" -lcudart
main.o: main.cpp kernel.h
	$(CXX) -O2 -I"$(CUDA_PATH)/include" -c $< -o $@
kernel.o: kernel.cu kernel.h
	"$(NVCC)" -O2 -arch=sm_90 -c $< -o $@
EOF
log=$(make CXX=c++ CUDA_PATH="$toolkit" NVCC="$toolkit/bin/kitcc" by_nvcc by_host 2>&1) || fail "make" "$log"
for program in by_nvcc by_host; do
    got=$(./$program 2>&1)
    [ "$got" = 64 ] || fail "$program, expected 64" "$got"
    got=$(./$program wrong 2>&1)
    case $got in *"race on"*"kernel.cu"*"page   kitcc --explain race"*) ;; *) fail "$program reports the race" "$got" ;; esac
done
got=$("$toolkit/bin/kitcc" --explain race) || fail "--explain" "$got"
case $got in *"Two threads access the same memory"*) ;; *) fail "--explain race" "$got" ;; esac
got=$("$toolkit/bin/kitcc" --dryrun -unchecked kernel.cu main.cpp -o shown && "$toolkit/bin/kitcc" --dryrun kernel.cu main.cpp -o shown)
case $got in
    *"$course"*) fail "a command names the course's folder" "$got" ;;
    *"$toolkit/include"*) ;;
    *) fail "the commands name the installation" "$got" ;;
esac
found=$(grep -rl "$course" "$toolkit/share/kitcc/kitcc.settings" "$toolkit/include" "$toolkit/bin/kitcc" "$toolkit/lib")
[ -z "$found" ] || [ "$found" = "$toolkit/lib/libkit_executor.so" ] || fail "files that name the course's folder" "$found"
echo "kitcc works in a folder of its own"
