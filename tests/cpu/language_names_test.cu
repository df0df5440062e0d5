// Launches in the forms that editors and third-party programs write: blanks in the chevrons, kernels with the
// same name as host functions or functions of the C++ library, and errors in branches that the preprocessor
// removes.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "conformance.cuh"

// clang-format off
__global__ void ones(int* p) { p[threadIdx.x] = 1; }
template <class T> __global__ void twos(T* p) { p[threadIdx.x] = 2; }
template <int N> struct Constant { static constexpr int value = N; };
#define ONES(p) ones << <1, 3 >> > (p)

CASE("blanks in the chevrons of a launch") {
    Buffer<int> a(3), b(3), c(3), d(3), e(3);
    ones << <1, 3 >> > (a);
    twos<int> << <1, 3 >>> (b);
    twos<<<1, (6 >> 1) >> > (c.data());
    ones << <1, Constant<Constant<3>::value>::value >> > (d);
    ONES(e);
    CHECK_EQUAL(a.read(), std::vector<int>{1, 1, 1});
    CHECK_EQUAL(b.read(), std::vector<int>{2, 2, 2});
    CHECK_EQUAL(c.read(), std::vector<int>{2, 2, 2});
    CHECK_EQUAL(d.read(), std::vector<int>{1, 1, 1});
    CHECK_EQUAL(e.read(), std::vector<int>{1, 1, 1});
}

struct Text { int n; };
template <class T> Text& operator<< (Text& text, T) { ++text.n; return text; }
CASE("operators and lists of templates that look like chevrons") {
    Text text{0};
    operator<< <int>(text, 3);
    std::vector<std::vector<int> > nested(2 << 1 >> 1);
    CHECK_EQUAL(text.n + static_cast<int>(nested.size()), 3);
}
// clang-format on

// A host function and a kernel have the same name: the host function launches the kernel.
__global__ void scale(int* p, int by);
void scale(std::vector<int>& values, int by);
__global__ void scale(int* p, int by) {
    p[threadIdx.x] *= by;
}
void scale(std::vector<int>& values, int by) {
    Buffer<int> data(values);
    scale<<<1, static_cast<unsigned>(values.size())>>>(data, by);
    values = data.read();
}

namespace inner {
__global__ void count(int* p) {
    atomicAdd(p, 1);
}
int count() {
    Buffer<int> sum(std::vector<int>{0});
    count<<<2, 32>>>(sum);
    return sum.read()[0];
}
template <class T>
__global__ void fill_with(T* p, T value) {
    p[threadIdx.x] = value;
}
template <class T>
std::vector<T> fill_with(T value) {
    Buffer<T> data(4);
    fill_with<<<1, 4>>>(data.data(), value);
    fill_with<T><<<1, 2>>>(data.data(), T(value + 1));
    return data.read();
}
}  // namespace inner

// Overloaded kernels and a host function have the same name.
__global__ void mark(int* p) {
    *p = 1;
}
__global__ void mark(float* p) {
    *p = 2;
}
int mark() {
    Buffer<int> a(1);
    Buffer<float> b(1);
    mark<<<1, 1>>>(a);
    mark<<<1, 1>>>(b);
    return a.read()[0] + 10 * static_cast<int>(b.read()[0]);
}

CASE("kernels that share their name with host functions") {
    std::vector<int> values{1, 2, 3};
    scale(values, 5);
    CHECK_EQUAL(values, std::vector<int>{5, 10, 15});
    CHECK_EQUAL(inner::count(), 64);
    CHECK_EQUAL(inner::fill_with(7), std::vector<int>{8, 8, 7, 7});
    CHECK_EQUAL(mark(), 21);
}

// Kernels have names that the C and C++ libraries also use.
using namespace std;
__global__ void transform(int* p) {
    p[threadIdx.x] += 1;
}
__global__ void reduce(const int* p, int* sum) {
    atomicAdd(sum, p[threadIdx.x]);
}
template <class T>
__global__ void iota(T* p, T first) {
    p[threadIdx.x] = first + static_cast<T>(threadIdx.x);
}
__global__ void remove(int* p, int which) {
    if (p[threadIdx.x] == which) p[threadIdx.x] = -1;
}
__global__ void index(int* p) {
    p[threadIdx.x] = static_cast<int>(threadIdx.x);
}

CASE("kernels that share their name with functions of the libraries") {
    Buffer<int> data(4), sum(std::vector<int>{0});
    iota<int><<<1, 4>>>(data, 5);
    transform<<<1, 4>>>(data);
    reduce<<<1, 4>>>(data.data(), sum);
    CHECK_EQUAL(sum.read(), std::vector<int>{6 + 7 + 8 + 9});
    remove<<<1, 4>>>(data, 7);
    CHECK_EQUAL(data.read(), std::vector<int>{6, -1, 8, 9});
    index<<<1, 4>>>(data);
    CHECK_EQUAL(data.read(), std::vector<int>{0, 1, 2, 3});
}

// Code that the preprocessor removes may be invalid: an example of a mistake, code for a different compiler,
// prose.
#ifdef SHOW_THE_MISTAKE
__global__ void store(int& x) {
    x = 1;
}
void call_it() {
    store(3);
}
#elif !defined(CONFORMANCE_HAS_NO_SUCH_MACRO)
__global__ void store(int* x) {
    *x = 1;
}
#else
It 's a launch: store<<<1>>(x), which isn' t one.
#include <cuda/std/no_such_header>
#define LAUNCH <<<1, 1>>>
    __global__ int
    store(int* x) {
    return std::max(x[0], rand());
}
#endif
#if __CUDACC_VER_MAJOR__ < 9
__device__ float old_sum(float x) {
    return x + __shfl_down(x, 1);
}
texture<float, 1> image;
#endif

__global__ void branches(int* out) {
#ifdef SHOW_THE_MISTAKE
    std::vector<int> values;
    out[0] = strlen("not for kernels");
    asm("mov.u32 %0, %%no_such_register;" : "=r"(out[0]));
#else
    out[0] = 4;
#endif
}

CASE("mistakes in branches that are not compiled") {
    Buffer<int> x(1), y(1);
    store<<<1, 1>>>(x);
    branches<<<1, 1>>>(y);
    CHECK_EQUAL(x.read()[0] + y.read()[0], 5);
}

CONFORMANCE_MAIN("language_names")
