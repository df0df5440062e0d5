#!/bin/sh
# Tests of kitcc: kitcc_test.sh KITCC. Each case has a name, and the output and exit status that a command must have.
kitcc=$1
five_kernels=$(cd "$(dirname "$0")/../../benchmark" && pwd)/five_kernels.cu
turns=$(cd "$(dirname "$0")" && pwd)/turns.cu
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cases=0 failed=0

# expect WHAT STATUS TEXT COMMAND...: fails unless the command ends with this status and prints this text.
expect() {
    what=$1 status=$2 text=$3
    shift 3
    got=$("$@" 2>&1)
    code=$?
    cases=$((cases + 1))
    case $got in *"$text"*) [ "$code" = "$status" ] && return ;; esac
    failed=$((failed + 1))
    printf 'FAIL  %s\n  status %s, expected %s; expected the text: %s\n%s\n' "$what" "$code" "$status" "$text" "$got"
}

mkdir sub include "a folder"
cat >main.cu <<'EOF'
#include <cstdio>
#include <searched.cuh>
#include "sub/kernel.cuh"
int from_cpp();
int main(int argc, char** argv) {
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 1>>>(d, N);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("value %d %d %s\n", h + searched, from_cpp(), argc > 1 ? argv[1] : "none");
    return argc;
}
EOF
cat >sub/kernel.cuh <<'EOF'
template <class T> __global__ void kernel(T* p, T x) { __shared__ T s; s = x; *p = s + __CUDA_ARCH__; }
EOF
echo 'constexpr int searched = 1000;' >include/searched.cuh
echo 'int from_cpp() { return N * 2; }' >part.cpp
cat >hello.cu <<'EOF'
#include <cstdio>
__global__ void hello() { printf("hello %d\n", threadIdx.x); }
int main() { hello<<<1, 1>>>(); cudaDeviceSynchronize(); }
EOF
cp hello.cu "a folder/with blanks.cu"
cp hello.cu hello.cpp
cat >include/launch.h <<'EOF'
#pragma once
#define LAUNCH(kernel, ...) kernel<<<1, M>>>(__VA_ARGS__), cudaDeviceSynchronize()
EOF
printf '__global__ void nothing() {}\nint main() { return LAUNCH(nothing) || undeclared; }\n' >launched.cu
echo 'int main() { return undeclared; }' >wrong.cu
echo 'void f() { k<<<1, 2>(3); }' >broken.cu
cat >profiled.cu <<'EOF'
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() { int* d; cudaMalloc(&d, 128); fill<<<1, 32>>>(d); return cudaDeviceSynchronize(); }
EOF
cat >race.cu <<'EOF'
__global__ void race(int* p) { *p = threadIdx.x; }
int main() { int* d; cudaMalloc(&d, 4); race<<<1, 64>>>(d); return cudaDeviceSynchronize(); }
EOF

expect "run" 0 "hello 0" "$kitcc" -run hello.cu
cat >deadlock.cu <<'EOF'
#include <cstdio>
__global__ void wait() { if (threadIdx.x == 1) __syncthreads(); else __syncwarp(3); }
int main() { wait<<<1, 2>>>(); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); return 3; }
EOF
cat >deep.cu <<'EOF'
#include <cstdio>
__device__ int deeper(int n, volatile int* p) { volatile int here[64]; here[n % 64] = n; return *p ? deeper(n + 1, p) + here[1] : 0; }
__global__ void deep(int* p) { *p = 1; *p = deeper(1, p); }
int main() { int* d; cudaMalloc(&d, 4); deep<<<1, 1>>>(d); return cudaDeviceSynchronize() == 0; }
EOF
expect "a profile" 0 "global store" "$kitcc" -run --run-args --profile profiled.cu
expect "a profile as a page" 0 "page.html shows it" "$kitcc" -run --run-args --profile=page.html profiled.cu
expect "the page" 0 '"command":"program"' cat page.html
expect "a page that has no place" 2 "this file cannot be written" "$kitcc" -run --run-args --profile=nowhere/page.html profiled.cu
expect "five kernels unchecked" 0 "scan: 1048576 elements are right" "$kitcc" -unchecked -run "$five_kernels"
KIT_KERNEL_SECONDS=0.5 expect "turns unchecked" 0 "0 failures" "$kitcc" -unchecked -run "$turns"
expect "an unchecked program has no hooks" 1 "" sh -c "'$kitcc' -unchecked -c race.cu -o r.o && nm r.o | grep tsan"
if grep -qw popcnt /proc/cpuinfo; then
    expect "an unchecked program counts bits with an instruction" 0 "-mpopcnt" "$kitcc" -unchecked --dryrun hello.cu
fi
expect "a deadlock is told unchecked, too" 3 "waits in __syncthreads()" "$kitcc" -unchecked -run deadlock.cu
expect "and a stack that overflows" 0 "ran out of stack" "$kitcc" -unchecked -run deep.cu
expect "without -o a program that ran is not kept" 1 "" test -e a.out
expect "several files, headers, macros, libraries, no option of the GPU disturbs" 2 "value 1907 14 x" "$kitcc" -O3 -G -g -lineinfo \
    -rdc=true -Xptxas -v --use_fast_math -arch=sm_90 -Iinclude -DN=7 -lcudart -lm -std=c++17 -run --run-args x main.cu part.cpp
expect "the architecture" 1 "value 1807 14 none" "$kitcc" -gencode arch=compute_80,code=sm_80 -I include -D N=7 main.cu part.cpp -run
expect "objects" 0 "" "$kitcc" -c main.cu -o main.o -Iinclude -DN=1
expect "objects of several files" 0 "" "$kitcc" -dc part.cpp hello.cu -DN=2
expect "linking objects" 0 "" "$kitcc" main.o part.o -o program
expect "the program" 1 "value 1901 4 none" ./program
expect "a.out" 0 "" "$kitcc" hello.cu
expect "a.out runs" 0 "hello 0" ./a.out
expect "names with blanks" 0 "hello 0" "$kitcc" "a folder/with blanks.cu" -run
expect "C++ as CUDA" 0 "hello 0" "$kitcc" -x cu hello.cpp -run
for standard in c++03 c++11 c++14 c++20; do
    expect "another standard" 0 "hello 0" "$kitcc" -std=$standard hello.cu -run
done
expect "the compiler's name" 0 "hello 0" "$kitcc" -ccbin g++ hello.cu -run
expect "the compiler's name in one word" 0 "hello 0" "$kitcc" --compiler-bindir=/usr/bin/g++ -allow-unsupported-compiler hello.cu -run
expect "lambdas" 0 "hello 0" "$kitcc" -expt-extended-lambda --expt-extended-lambda hello.cu -run
expect "a default stream for each thread" 0 "only supports the legacy default stream" "$kitcc" --default-stream per-thread hello.cu -run
expect "the default stream" 0 "" "$kitcc" --default-stream legacy hello.cu -o stream
expect "the release, where makefiles look for it" 0 "release 13.0, V13.0" "$kitcc" --version
cat >parallel.cu <<'EOF'
#include <cstdio>
int main() {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; ++i) sum += i;
#ifdef _OPENMP
    printf("OpenMP %d\n", sum);
#endif
}
EOF
expect "several options in one -Xcompiler" 0 "OpenMP 45" "$kitcc" -Xcompiler "-O3 -fopenmp" parallel.cu -run
expect "and with commas" 0 "OpenMP 45" "$kitcc" -Xcompiler -fopenmp,-O2 parallel.cu -run
expect "-O3 for the compiler leaves the checks what they need" 0 "-O1" "$kitcc" -Xcompiler -O3 --dryrun hello.cu
expect "device code needs no linking" 0 "" "$kitcc" -dlink main.o part.o -o device.o
expect "its object" 1 "value 1901 4 none" sh -c "'$kitcc' main.o part.o device.o -o linked && ./linked"
expect "a static library" 0 "" "$kitcc" -lib part.cpp -DN=1 -o libpart.a
expect "the program with it" 1 "value 1901 2 none" "$kitcc" main.o libpart.a -run
expect "a shared library" 0 "" "$kitcc" -shared -Xcompiler -fPIC part.cpp -DN=3 -o libpart.so
expect "the program with this one" 1 "value 1901 6 none" "$kitcc" main.o -L. -lpart -Xlinker -rpath,"$work" -run
expect "a rule for make" 0 "" "$kitcc" -MMD -MF main.d -MT target -MP -Iinclude -DN=1 -c main.cu -o rule.o
expect "the rule names the headers" 0 "include/searched.cuh" cat main.d
expect "the target" 0 "target: main.cu" cat main.d
expect "a rule alone" 0 "main.o: main.cu" "$kitcc" -MM -Iinclude -DN=1 main.cu
mkdir objects
expect "a folder for objects" 0 "" "$kitcc" -c -odir objects hello.cu
expect "its object" 0 "" test -s objects/hello.o
echo 'inline void f(int unused) {}' >warned.hpp
printf '%s\n' '-std=c++17 -DN=5' '-Iinclude' >options.txt
expect "options in a file" 1 "value 1905 10 none" "$kitcc" --options-file options.txt main.cu part.cpp -run
expect "unknown options for the compiler" 0 "unused-parameter" "$kitcc" -forward-unknown-to-host-compiler -Wall -Wextra \
    -include warned.hpp hello.cu
expect "options that change nothing" 0 "hello 0" "$kitcc" -m 64 -diag-suppress 177 -Werror all-warnings -ftz=true --keep -time t.csv \
    -cudart shared -restrict hello.cu -run
expect "nvcc's own files" 1 "-ptx requests a file that only nvcc can make" "$kitcc" -ptx hello.cu
expect "C++" 0 "" "$kitcc" -x c++ -c part.cpp -DN=1 -o cpp.o
expect "objects that g++ links" 1 "kitcc has compiled this object for the CPU executor: link with kitcc" \
    sh -c "'$kitcc' -c hello.cu -o split.o && g++ split.o -o split"
expect "a page" 0 "Two threads access the same memory" "$kitcc" --explain race
expect "its width" 1 "" sh -c "COLUMNS=60 '$kitcc' --explain race | grep '^[^ ].\{60\}'"
expect "a page that is not there" 1 "address, argument, assert" "$kitcc" --explain rase
expect "all pages" 1 "address, argument, assert" "$kitcc" --explain
expect "a report names the command" 0 "page   kitcc --explain race" "$kitcc" -run race.cu
expect "options of the C++ compiler" 1 "unused-parameter" "$kitcc" -Xcompiler -Wall,-Wextra,-Werror=unused-parameter \
    -include warned.hpp hello.cu
sed s/undeclared/0/ launched.cu >included.cu
expect "a launch in a header of the command line" 0 "" "$kitcc" -DM=2 -Iinclude -include launch.h -run included.cu
expect "lines stay with such a header" 1 "launched.cu:2:" "$kitcc" -DM=2 -include include/launch.h launched.cu
expect "an error names file and line" 1 "wrong.cu:1:" "$kitcc" wrong.cu
expect "an error of the translator, too" 1 "broken.cu:1: error: '<<<' without its '>>>'" "$kitcc" broken.cu
expect "the checks" 0 "race" "$kitcc" -run race.cu
expect "an unknown option" 1 "unknown option '--pxt'" "$kitcc" --pxt hello.cu
expect "an unknown option with a value" 1 "unknown option '-Wfoo=1'" "$kitcc" -Wfoo=1 hello.cu
expect "an option without its value" 1 "the option -o needs a value" "$kitcc" hello.cu -o
printf '#include <cuda.h>\nint main() { return cuInit(0); }\n' >driver.cu
expect "the driver API" 1 "the driver API is not supported by the CPU backend" "$kitcc" driver.cu
printf '#include <cuda/std/span>\n__global__ void k(cuda::std::span<int> s) { s[0] = 4; }\nint main() { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>({p, 1}); cudaDeviceSynchronize(); return *p; }\n' >span.cu
printf '#include <cuda/std/mdspan>\nint main() {}\n' >part.cu
if "$kitcc" part.cu >/dev/null 2>&1; then  # libcu++ is installed
    expect "a header of libcu++" 4 "" "$kitcc" -run span.cu
else
    expect "a header of libcu++ that needs a later standard" 1 "span.cu:1:" "$kitcc" span.cu
    expect "its sentence" 1 "<cuda/std/span> is not supported by the CPU backend before C++20: compile with -std=c++20" "$kitcc" span.cu
    expect "a part of libcu++" 1 "part.cu:1:" "$kitcc" part.cu
    expect "its sentence" 1 "<cuda/std/mdspan> is not supported by the CPU backend" "$kitcc" part.cu
fi
expect "with a later standard" 4 "" "$kitcc" -std=c++20 -run span.cu
printf '#include <cutensor.h>\nint main() {}\n' >tensor.cu
expect "a library of the GPU's, by its header" 1 "cuTENSOR runs on a GPU only" "$kitcc" tensor.cu
mkdir -p own/cuda/std
printf 'namespace cuda { namespace std { constexpr int spans = 5; } }\n' >own/cuda/std/mdspan
printf '#include <cuda/std/mdspan>\nint main() { return cuda::std::spans; }\n' >part.cu
expect "a copy of the program's own" 5 "" "$kitcc" -Iown -run part.cu
printf '__global__ void k(int* p) {\n    *p = __shfl_down(*p, 1);\n}\nint main() { cudaThreadSynchronize(); }\n' >old.cu
expect "a shuffle without a mask" 1 "name the lanes that take part, __shfl_down_sync(0xffffffff, value, ...)" "$kitcc" old.cu
expect "its line" 1 "old.cu:2:" "$kitcc" old.cu
expect "a call that is gone" 1 "call cudaDeviceSynchronize()" "$kitcc" old.cu
printf 'texture<float, 1> t;\nint main() {}\n' >texture.cu
expect "a texture reference" 1 "texture.cu:1: error: CUDA 12 removed texture references" "$kitcc" texture.cu
printf 'template <class T> struct texture { T x; };\ntexture<int> t;\nint main() { return t.x; }\n' >texture.cu
expect "a texture of the program's own" 0 "" "$kitcc" -run texture.cu
printf '#include <cstdio>\nint main() {\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n    printf("%%d", p.clockRate);\n    cudaMemPrefetchAsync(&p, 4, 0);\n}\n' >twelve.cu
expect "a member that is gone" 1 "cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device)" "$kitcc" twelve.cu
expect "a place that is a number" 1 "{cudaMemLocationTypeDevice, device}" "$kitcc" twelve.cu
printf '#if FIRST\n__global__ void k(int& x) {}\n#endif\nint main() {}\n' >branch.cu
expect "a mistake in a branch that is dropped" 0 "" "$kitcc" branch.cu -o branch
expect "and in one that is compiled" 1 "branch.cu:2:" "$kitcc" -DFIRST branch.cu
printf '#include <nccl.h>\nint main() { return ncclGroupEnd() != ncclInvalidUsage; }\n' >ranks.cu
expect "NCCL" 0 "" "$kitcc" ranks.cu -lnccl -o ranks
expect "a program with NCCL" 0 "" ./ranks
printf '#include <cstdio>\n#include <nvshmem.h>\n#include <nvshmemx.h>\nint main() { nvshmem_init(); std::printf("PE %%d of %%d\\n", nvshmem_my_pe(), nvshmem_n_pes()); nvshmem_finalize(); }\n' >pes.cu
expect "NVSHMEM" 0 "PE 0 of 1" "$kitcc" pes.cu -run
expect "a program without them does not load them" 1 "" grep -q libkit_ranks a.out
expect "a library of the GPU" 1 "no library cufft" "$kitcc" hello.cu -lcufft
expect "no input" 1 "no input file" "$kitcc"
expect "no such file" 1 "there is no file absent.cu" "$kitcc" absent.cu
expect "help" 0 "-gencode" "$kitcc" --help
expect "the commands" 0 "-fsanitize=thread" "$kitcc" --dryrun hello.cu -o shown
expect "only shown" 1 "" test -e shown

echo "$((cases - failed)) of $cases cases of kitcc passed"
[ "$failed" = 0 ] && [ "$cases" -gt 20 ]
