// half and bfloat16: rounding, arithmetic, comparisons, pairs, shuffles and atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "conformance.cuh"

// Functions whose names differ for the two types.
inline unsigned bits(__half value) {
    return __half_as_ushort(value);
}
inline unsigned bits(__nv_bfloat16 value) {
    return __bfloat16_as_ushort(value);
}

CASE("half: the nearest number, ties to even") {
    CHECK_EQUAL(bits(__float2half(1.0f)), 0x3c00u);
    CHECK_EQUAL(bits(__float2half(-2.0f)), 0xc000u);
    CHECK_EQUAL(bits(__float2half(0.1f)), 0x2e66u);
    CHECK_EQUAL(bits(__float2half(65504.0f)), 0x7bffu);
    CHECK_EQUAL(bits(__float2half(65519.0f)), 0x7bffu);
    CHECK_EQUAL(bits(__float2half(65520.0f)), 0x7c00u);
    CHECK_EQUAL(bits(__float2half(1 + std::ldexp(1.0f, -11))), 0x3c00u);
    CHECK_EQUAL(bits(__float2half(1 + 3 * std::ldexp(1.0f, -11))), 0x3c02u);
    CHECK_EQUAL(bits(__float2half(std::ldexp(1.0f, -24))), 0x0001u);
    CHECK_EQUAL(bits(__float2half(std::ldexp(1.0f, -25))), 0x0000u);
    CHECK_EQUAL(bits(__float2half(std::ldexp(1.001f, -25))), 0x0001u);
    CHECK_EQUAL(bits(__float2half(-0.0f)), 0x8000u);
    CHECK(__hisnan(__float2half(NAN)));
    CHECK_EQUAL(bits(__double2half(1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))), 0x3c01u);
}

CASE("half: the other directions") {
    const float third = 1.0f / 3;
    CHECK_EQUAL(bits(__float2half_rz(third)), 0x3555u);
    CHECK_EQUAL(bits(__float2half_ru(third)), 0x3556u);
    CHECK_EQUAL(bits(__float2half_rd(-third)), 0xb556u);
    CHECK_EQUAL(bits(__float2half_ru(-third)), 0xb555u);
    CHECK_EQUAL(bits(__float2half_rz(70000.0f)), 0x7bffu);
    CHECK_EQUAL(bits(__float2half_ru(70000.0f)), 0x7c00u);
}

CASE("bfloat16: the upper half of a float, rounded") {
    CHECK_EQUAL(bits(__float2bfloat16(1.0f)), 0x3f80u);
    CHECK_EQUAL(bits(__float2bfloat16(3.14159265f)), 0x4049u);
    CHECK_EQUAL(bits(__float2bfloat16(1 + std::ldexp(1.0f, -8))), 0x3f80u);
    CHECK_EQUAL(bits(__float2bfloat16(1 + 3 * std::ldexp(1.0f, -8))), 0x3f82u);
    CHECK_EQUAL(bits(__float2bfloat16(3.4e38f)), 0x7f80u);
    CHECK_EQUAL(bits(__float2bfloat16_rz(3.4e38f)), 0x7f7fu);
    CHECK_EQUAL(__bfloat162float(__ushort_as_bfloat16(0x4049)), 3.140625f);
}

__global__ void to_integers(int* out) {
    out[0] = __half2int_rn(__float2half(2.5f));
    out[1] = __half2int_ru(__float2half(2.25f));
    out[2] = static_cast<int>(__half2uint_rd(__float2half(-2.25f)));
}

CASE("integers") {
    CHECK_EQUAL(__half2int_rz(__float2half(-2.75f)), -2);
    const Buffer<int> out(3);
    to_integers<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{2, 3, 0});
    CHECK_EQUAL(bits(__int2half_rn(2049)), bits(__float2half(2048.0f)));
    CHECK_EQUAL(bits(__int2half_ru(2049)), bits(__float2half(2050.0f)));
    CHECK_EQUAL(bits(__int2bfloat16_rn(257)), bits(__float2bfloat16(256.0f)));
    CHECK_EQUAL(bits(__ll2bfloat16_rn((1ll << 60) + (1ll << 52) + 1)), bits(__float2bfloat16(0x1.02p60f)));
    CHECK_EQUAL(static_cast<int>(__half(7.9f)), 7);
}

__global__ void there_and_back(unsigned short* wrong) {
    const unsigned short pattern = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
    const __half half = __ushort_as_half(pattern);
    const __nv_bfloat16 small = __ushort_as_bfloat16(pattern);
    if (!__hisnan(half) && __half_as_ushort(__float2half(__half2float(half))) != pattern) *wrong = pattern;
    if (!__hisnan(small) && __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(small))) != pattern)
        *wrong = pattern;
}

CASE("every pattern survives the way through a float") {
    const Buffer<unsigned short> wrong(1, 0);
    there_and_back<<<256, 256>>>(wrong);
    CHECK_EQUAL(wrong.read()[0], 0);
}

template <class T>
struct Results {
    T sum, difference, product, quotient, fused, larger, root, negative;
};
template <class T>
__device__ Results<T> compute(T x, T y) {
    return {x + y, x - y, x * y, x / y, __hfma(x, x, -y), __hmax(x, y), hsqrt(y), -x};
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <>
__device__ Results<__nv_bfloat16> compute(__nv_bfloat16, __nv_bfloat16) {
    return {};  // the case is skipped on such a device
}
#endif
template <class T>
__global__ void compute_all(const T* a, const T* b, Results<T>* out) {
    out[threadIdx.x] = compute<T>(a[threadIdx.x], b[threadIdx.x]);
}

template <class T>
void check_arithmetic(float epsilon) {
    const T a = T(1.0f + epsilon);
    const T b = T(static_cast<float>(a) * static_cast<float>(a));
    const Buffer<T> left(std::vector<T>{a, T(3.0f)}), right(std::vector<T>{b, T(7.0f)});
    const Buffer<Results<T>> out(2);
    compute_all<T><<<1, 2>>>(left, right, out);
    const std::vector<Results<T>> got = out.read();
    // The fused operation rounds once, so it returns the error of the square.
    CHECK_EQUAL(bits(got[0].fused), bits(T(epsilon * epsilon)));
    CHECK_EQUAL(bits(got[1].sum), bits(T(10.0f)));
    CHECK_EQUAL(bits(got[1].difference), bits(T(-4.0f)));
    CHECK_EQUAL(bits(got[1].product), bits(T(21.0f)));
    CHECK_EQUAL(bits(got[1].quotient), bits(T(3.0f / 7.0f)));
    CHECK_EQUAL(bits(got[1].fused), bits(T(2.0f)));
    CHECK_EQUAL(bits(got[1].larger), bits(T(7.0f)));
    CHECK_EQUAL(bits(got[1].root), bits(T(std::sqrt(7.0f))));
    CHECK_EQUAL(bits(got[1].negative), bits(T(-3.0f)));
}
CASE("arithmetic of half") {
    check_arithmetic<__half>(std::ldexp(1.0f, -10));
}
CASE("arithmetic of bfloat16") {
    cudaDeviceProp properties;
    REQUIRE_CUDA(cudaGetDeviceProperties(&properties, 0));
    if (properties.major < 8) SKIP("devices before 8.0 do not compute with bfloat16");
    check_arithmetic<__nv_bfloat16>(std::ldexp(1.0f, -7));
}

CASE("comparisons with what is no number") {
    const half one = 1.0f, none = NAN;
    CHECK(!__heq(one, none));
    CHECK(__hequ(one, none));
    CHECK(!__hne(one, none));
    CHECK(one != none);
    CHECK(!(one < none) && !(one >= none));
    CHECK_EQUAL(bits(__hmax(one, none)), bits(one));
    CHECK(__hisnan(__hmax_nan(one, none)));
    CHECK_EQUAL(__hisinf(__float2half(-INFINITY)), -1);
}

__global__ void pairs(const __half2* in, float2* out, __half2* shuffled) {
    const __half2 a = __ldg(in + threadIdx.x);
    const __half2 twice = __hadd2(a, a), scaled = a * __float2half2_rn(0.5f);
    out[threadIdx.x] = make_float2(__low2float(twice), __high2float(scaled));
    shuffled[threadIdx.x] = __shfl_down_sync(0xffffffffu, a, 1);
}
CASE("pairs of half") {
    std::vector<__half2> values;
    for (int i = 0; i < 32; ++i)
        values.push_back(__floats2half2_rn(static_cast<float>(i), static_cast<float>(-i)));
    const Buffer<__half2> in(values), shuffled(32);
    const Buffer<float2> out(32);
    pairs<<<1, 32>>>(in, out, shuffled);
    const std::vector<float2> got = out.read();
    const std::vector<__half2> down = shuffled.read();
    CHECK_EQUAL(got[5].x, 10.0f);
    CHECK_EQUAL(got[5].y, -2.5f);
    CHECK_EQUAL(__half22float2(down[5]).x, 6.0f);
    CHECK_EQUAL(__high2float(down[31]), -31.0f);
    CHECK(__hbeq2(values[3], make_half2(3.0f, -3.0f)));
    CHECK(__hbne2(values[3], values[4]));
    CHECK_EQUAL(__half2float(__low2half(__lowhigh2highlow(values[3]))), -3.0f);
}

template <class T, class T2>
__global__ void count(T* sum, T2* sums) {
    atomicAdd(sum, T(1.0f));
    atomicAdd(sums, T2(T(1.0f), T(2.0f)));
}
CASE("atomic additions") {
    const Buffer<__half> sum(1, __half(0.0f));
    const Buffer<__half2> sums(1, __half2(__half(0.0f), __half(0.0f)));
    count<__half, __half2><<<4, 32>>>(sum, sums);
    CHECK_EQUAL(__half2float(sum.read()[0]), 128.0f);
    CHECK_EQUAL(__high2float(sums.read()[0]), 256.0f);
    const Buffer<__nv_bfloat16> small(1, __nv_bfloat16(0.0f));
    const Buffer<__nv_bfloat162> smalls(1, __nv_bfloat162(__nv_bfloat16(0.0f), __nv_bfloat16(0.0f)));
    count<__nv_bfloat16, __nv_bfloat162><<<4, 32>>>(small, smalls);
    CHECK_EQUAL(__bfloat162float(small.read()[0]), 128.0f);
    CHECK_EQUAL(__low2float(smalls.read()[0]), 128.0f);
}

CONFORMANCE_MAIN("small_float")
