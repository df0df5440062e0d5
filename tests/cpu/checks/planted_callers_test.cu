// A report about a line in a helper function or a header also names the line of the caller.
#include <cassert>

#include "checks.cuh"
#include "helpers.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

__device__ float load(const float* in, unsigned i) {
    return in[i];  // <-
}
__global__ void one_helper(const float* in, float* out) {
    out[threadIdx.x] = load(in, threadIdx.x + 1);  // <-
}
PLANTED("a helper that one line calls", "address",
        "called from line 14 of planted_callers_test.cu: `out[threadIdx.x] =") {
    Buffer<float> in(32, 1.0f), out(32);
    one_helper<<<1, 32>>>(in, out);
}

__device__ __noinline__ float load_or_zero(const float* in, int n, unsigned i) {
    if (static_cast<int>(i) >= n) return 0;
    return in[i];  // <-
}
__global__ void two_lines(const float* in, float* out, int n) {
    const float mine = load_or_zero(in, n, threadIdx.x);
    const float next = load_or_zero(in, n + 1, threadIdx.x + 1);  // <-
    out[threadIdx.x] = mine + next;
}
PLANTED("a helper that is called twice", "address",
        "called from line 28 of planted_callers_test.cu: `const float next") {
    Buffer<float> in(32, 1.0f), out(32);
    two_lines<<<1, 32>>>(in, out, 32);
}

__device__ __noinline__ float sum_of_block(float value) {
    __shared__ float sums[32];
    sums[threadIdx.x] = value;  // <-
    __syncthreads();
    float sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) sum += sums[i];  // <-
    return sum;
}
__global__ void used_again(const float* in, float* out) {
    float sum = in[threadIdx.x];
    for (int round = 0; round < 2; ++round) sum += sum_of_block(sum);  // <-
    out[threadIdx.x] = sum;
}
PLANTED("a helper that needs a barrier at its end", "race", "`for (int round = 0; round < 2; ++round)") {
    Buffer<float> in(32, 1.0f), out(32);
    used_again<<<1, 32>>>(in, out);
}

__device__ __noinline__ void put(float* tile, float value) {
    for (int round = 0; round < 20; ++round) tile[threadIdx.x] = tile[threadIdx.x] / 2 + value;  // <-
}
__device__ __noinline__ float sum_of(const float* tile) {
    float sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) sum = i % 3 ? sum + tile[i] : sum * 2 + tile[i];  // <-
    return sum;
}
__global__ void two_helpers(float* out) {
    __shared__ float tile[32];
    put(tile, 1.0f);
    out[threadIdx.x] = sum_of(tile);
}
PLANTED("two helpers that have ended: the line that called the earlier one", "race",
        "called from line 66 of planted_callers_test.cu: `out[threadIdx.x] = sum_of") {
    Buffer<float> out(32);
    two_helpers<<<1, 32>>>(out);
}

__device__ __noinline__ float odd_ones_wait(float value) {
    if (threadIdx.x % 2) __syncthreads();  // <-
    return value;
}
__global__ void waits_in_a_helper(float* out) {
    out[threadIdx.x] = odd_ones_wait(1.0f);
}
#ifdef KIT_CPU  // a GPU may not detect these
PLANTED("a barrier in a helper", "barrier",
        "called from line 79 of planted_callers_test.cu: `out[threadIdx.x] = odd_ones") {
    Buffer<float> out(32);
    waits_in_a_helper<<<1, 32>>>(out);
}
#endif

__device__ __noinline__ unsigned below_three(unsigned value) {
    assert(value < 3);  // <-
    return value;
}
__global__ void asserts_in_a_helper(unsigned* out) {
    out[threadIdx.x] = below_three(threadIdx.x);
}
#ifdef KIT_CPU  // this would make the context of a GPU unusable
PLANTED("an assertion in a helper", "assert",
        "called from line 94 of planted_callers_test.cu: `out[threadIdx.x] = below_three") {
    Buffer<unsigned> out(32);
    asserts_in_a_helper<<<1, 32>>>(out);
}
#endif

__global__ void with_header(const int* in, int* out) {
    out[threadIdx.x] = last_of_three(in, threadIdx.x);
}
SILENT("a helper in a header: the line of the file that was compiled is named") {
#ifdef KIT_CPU
    Buffer<int> in(32, 1), out(32);
    with_header<<<1, 32>>>(in, out);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    const std::vector<kit::cpu::Finding> found = kit::cpu::take_findings();
    CHECK_EQUAL(found.size(), 1u);
    for (const kit::cpu::Finding& finding : found) {
        const kit::facts::Where& where = finding.accesses.at(0).at;
        CHECK_EQUAL(where.text, std::string("return in[i];"));
        CHECK_EQUAL(where.file.find("helpers.cuh") != std::string::npos, true);
        CHECK_EQUAL(where.caller.line, 105);
    }
#endif
}

template <class T>
__global__ void no_helper(const T* in, T* out) {
    out[threadIdx.x] = in[threadIdx.x + 1];  // <-
}
PLANTED("a line of the kernel itself", "address", "`: out of bounds") {
    Buffer<float> in(32, 1.0f), out(32);
    no_helper<<<1, 32>>>(static_cast<const float*>(in), static_cast<float*>(out));
}

CHECKS_MAIN("planted_callers")
