// Forms of CUDA's language that a C++ compiler does not know, third part: default arguments, attributes in
// macros, shared variables at file scope, and __CUDA_ARCH__. The first part is language_test.cu.
// alone: the translator names shared variables at file scope from the global scope
#include "conformance.cuh"

// Default arguments.

int evaluations = 0;
int next_evaluation() {
    return ++evaluations;
}

__global__ void with_default(int* out, int n = 7, int = next_evaluation()) {
    out[threadIdx.x] = n;
}

CASE("arguments may be left out: the host evaluates their defaults, once a launch") {
    Buffer<int> out(2);
    evaluations = 0;
    with_default<<<1, 2>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{7, 7});
    CHECK_EQUAL(evaluations, 1);
    with_default<<<1, 2>>>(out, 8);
    CHECK_EQUAL(out.read(), std::vector<int>{8, 8});
    CHECK_EQUAL(evaluations, 2);
    with_default<<<1, 2>>>(out, 9, 0);
    CHECK_EQUAL(out.read(), std::vector<int>{9, 9});
    CHECK_EQUAL(evaluations, 2);
}

namespace space {
template <int N, class T>
__global__ void declared(T* out, T value = T(N), const T* more = nullptr);
}
template <int N, class T>
__global__ void space::declared(T* out, T value, const T* more) {
    *out = value + (more ? *more : T(0));
}

CASE("default arguments of a template, given in its declaration") {
    Buffer<float> out(1);
    Buffer<float> more(1, 0.5f);
    space::declared<3><<<1, 1>>>(out.data());
    CHECK_EQUAL(out.read()[0], 3.0f);
    space::declared<3><<<1, 1>>>(out.data(), 4.0f, static_cast<const float*>(more.data()));
    CHECK_EQUAL(out.read()[0], 4.5f);
}

CASE("a launch with defaults finds what cudaFuncSetAttribute set") {
    const int bytes = 60 * 1024;
    Buffer<int> out(2);
    CHECK_CUDA(cudaFuncSetAttribute(with_default, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
               cudaSuccess);
    with_default<<<1, 2, bytes>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{7, 7});
}

// Attributes in macros.

#define BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define SMALL __launch_bounds__(64)
#define KERNEL __global__ void SMALL

template <class T, int Threads>
__global__ void BOUNDS(Threads, 1) bounds_in_macro(T* out) {
    out[threadIdx.x] = static_cast<T>(Threads);
}
__global__ void SMALL bounds_in_name(int* out) {
    *out = 3;
}
KERNEL all_in_macro(int* out) {
    *out = 4;
}

CASE("a macro between __global__ and the name, or for both") {
    Buffer<float> real(2);
    bounds_in_macro<float, 32><<<1, 2>>>(real);
    CHECK_EQUAL(real.read(), std::vector<float>{32, 32});
    Buffer<int> out(1);
    bounds_in_name<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 3);
    all_in_macro<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 4);
    cudaFuncAttributes attributes{};
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, bounds_in_macro<float, 32>), cudaSuccess);
    CHECK_EQUAL(attributes.maxThreadsPerBlock, 32);
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, bounds_in_name), cudaSuccess);
    CHECK_EQUAL(attributes.maxThreadsPerBlock, 64);
}

// Shared variables at file scope.

__shared__ int tile[32], total;
namespace space {
__shared__ __align__(16) float pair[2];
__device__ float second_of_pair() {
    return pair[1];
}
}  // namespace space

__device__ void add_to_total(int value) {
    atomicAdd(&total, value);
}
__device__ int hides(int total) {
    int tile = total;
    return tile;
}

__global__ void shared_at_file_scope(int* out) {
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) total = 100 * static_cast<int>(blockIdx.x);
    if (t < 2) space::pair[t] = 0.5f * t;
    tile[t] = hides(t);
    __syncthreads();
    add_to_total(tile[31 - t]);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] =
            total + static_cast<int>(sizeof(tile) / sizeof(*tile)) + (space::second_of_pair() == 0.5f);
}

CASE("shared variables at file scope: one for each block, the same in all functions") {
    Buffer<int> out(2);
    shared_at_file_scope<<<2, 32>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{496 + 33, 596 + 33});
    cudaFuncAttributes attributes{};
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, shared_at_file_scope), cudaSuccess);
    CHECK(attributes.sharedSizeBytes >= 33 * sizeof(int));
}

template <class T, int N>
__device__ int length(const T (&)[N]) {
    return N;
}
__global__ void deduced_from_shared(int* out) {
    *out = length(tile);
}

CASE("a shared variable at file scope has its own type") {
    Buffer<int> out(1);
    deduced_from_shared<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 32);
}

// __CUDA_ARCH__.

#if __CUDA_ARCH__ >= 600
#define HAS_LONG_BRANCH 1
#endif
#if defined(__CUDA_ARCH__)
__device__ int only_on_device() {
    return 5;
}
#endif

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
constexpr __host__ __device__ int where_at_compile_time(int x) {
#ifndef __CUDA_ARCH__
    return x + 2;
#else
    return x + 1;
#endif
}
struct Place {
    __host__ __device__ Place() : value(where()) {
#if !defined(__CUDA_ARCH__)
        value += 10;
#endif
    }
    int value;
};

__device__ int branch_of_device() {
#ifdef HAS_LONG_BRANCH
    return only_on_device();
#else
    return 0;
#endif
}

__global__ void which_branch(int* out) {
#if __CUDA_ARCH__ >= 700
    out[0] = 7;
#elif __CUDA_ARCH__ >= 600
    out[0] = 6;
#endif
    out[1] = where();
    out[2] = Place().value;
    out[3] = branch_of_device();
    out[4] = where_at_compile_time(static_cast<int>(threadIdx.x));
}

CASE(
    "__CUDA_ARCH__ is defined in kernels and device functions, and a __host__ __device__ function knows "
    "where it runs") {
    Buffer<int> out(5);
    which_branch<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{7, 1, 1, 5, 1});
    CHECK_EQUAL(where(), 2);
    CHECK_EQUAL(Place().value, 12);
    volatile int zero = 0;
    CHECK_EQUAL(where_at_compile_time(zero), 2);
#ifdef __CUDA_ARCH__
    CHECK(false);
#endif
}

CONFORMANCE_MAIN("language_kernels")
