// Intrinsics that few programs use: inverse error functions, sums of products, DPX, memory spaces, vector
// atomics, clusters.
#include <cmath>

#include "conformance.cuh"

__global__ void special_double(const double* in, double* out) {
    const double x = in[threadIdx.x];
    double* mine = out + 8 * threadIdx.x;
    mine[0] = erf(erfinv(x));
    mine[1] = erfc(erfcinv(1.0 + x));
    mine[2] = normcdf(normcdfinv(0.5 + 0.5 * x));
    mine[3] = erfcx(x) / (exp(x * x) * erfc(x));
    mine[4] = cyl_bessel_i0(x);
    mine[5] = cyl_bessel_i1(x);
    mine[6] = erfinvf(static_cast<float>(x)) - erfinv(x);
    mine[7] = erfcx(20.0 + x) * (20.0 + x);
}

CASE("erfinv, erfcinv and normcdfinv invert; erfcx and the Bessel functions have their values") {
    const std::vector<double> points{-0.999, -0.5, -1e-3, 1e-5, 0.25, 0.5, 0.75, 0.99};
    Buffer<double> in(points), out(8 * points.size());
    special_double<<<1, 8>>>(in, out);
    const std::vector<double> got = out.read();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = points[i];
        const double* mine = got.data() + 8 * i;
        double i0 = 0, i1 = 0, term = 1;
        for (int k = 0; k < 20; ++k) {
            i0 += term;
            i1 += term * x / 2 / (k + 1);
            term *= x * x / 4 / ((k + 1.0) * (k + 1.0));
        }
        const double y = 20.0 + x,
                     asymptote = (1 - 1 / (2 * y * y) + 3 / (4 * y * y * y * y)) / std::sqrt(M_PI);
        CHECK(std::fabs(mine[0] - x) < 1e-14 && std::fabs(mine[1] - 1 - x) < 1e-14);
        CHECK(std::fabs(mine[2] - 0.5 - 0.5 * x) < 1e-14 && std::fabs(mine[3] - 1) < 1e-14);
        CHECK(std::fabs(mine[4] - i0) < 1e-14 && std::fabs(mine[5] - i1) < 1e-14);
        CHECK(std::fabs(mine[6]) < 1e-4 && std::fabs(mine[7] - asymptote) < 1e-7);
    }
}

__global__ void special_ends(double* out) {
    out[0] = erfinv(1.0) == INFINITY && erfinv(-1.0) == -INFINITY && isnan(erfinv(1.5));
    out[1] = erfcinv(0.0) == INFINITY && erfcinv(2.0) == -INFINITY && isnan(erfcinv(-0.5));
    out[2] = normcdfinv(0.0) == -INFINITY && normcdfinv(1.0) == INFINITY && fabs(normcdfinv(0.5)) == 0;
    out[3] = erfinv(0.0) == 0 && erfcx(0.0) == 1 && cyl_bessel_i0(0.0) == 1 && cyl_bessel_i1(0.0) == 0;
    out[4] = fabs(erfcinv(1e-200) - 21.374783049026259) < 1e-12;
    double sine, cosine;
    float sine_f, cosine_f;
    sincospi(0.25, &sine, &cosine);
    sincospi(0.25f, &sine_f, &cosine_f);
    out[5] = fabs(sine - sine_f) < 1e-6 && sizeof(sinpi(0.25f)) == 4 && sizeof(erfinv(0.5f)) == 4;
    const double v[] = {2, 3, 6};
    const float w[] = {2, 3, 6};
    out[6] =
        fabs(norm(3, v) - 7) < 1e-14 && fabs(rnorm(3, v) * 7 - 1) < 1e-14 && fabsf(normf(3, w) - 7) < 1e-5f;
    out[7] = fdivide(1.0, 4.0);
}

CASE("special functions at the ends of their ranges, float overloads, norms") {
    Buffer<double> out(8);
    special_ends<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<double>{1, 1, 1, 1, 1, 1, 1, 0.25});
}

__global__ void products(int* out) {
    int k = 0;
    out[k++] = __dp4a(make_char4(1, -2, 3, 4), make_char4(5, 6, -7, 8), 100);
    out[k++] = static_cast<int>(__dp4a(make_uchar4(255, 2, 3, 4), make_uchar4(255, 6, 7, 8), 1u));
    out[k++] = __dp4a(0x0403fe01, 0x08f90605, 100);
    out[k++] = __dp2a_lo(make_short2(1000, -2000), make_char4(3, 4, 5, -6), 7);
    out[k++] = __dp2a_hi(make_short2(1000, -2000), make_char4(3, 4, 5, -6), 7);
    out[k++] = static_cast<int>(__dp2a_lo(make_ushort2(60000, 2), make_uchar4(200, 4, 5, 6), 7u));
    out[k++] = static_cast<int>(__dp2a_hi(make_ushort2(60000, 2), make_uchar4(200, 4, 5, 6), 7u));
    out[k++] = __dp2a_lo(0x7530ffff, 0x0403fe01, 100);
    out[k++] = static_cast<int>(__dp2a_hi(0x7530ffffu, 0x0403fe01u, 100u));
    out[k++] = static_cast<int>(__vavgs2(0xfffe0003u, 0xffff0002u));
    out[k++] = static_cast<int>(__vavgs4(0x80017f02u, 0x01ff8103u));
}

CASE("__dp4a and __dp2a of vectors and of words, __vavgs2, __vavgs4") {
    Buffer<int> out(11);
    products<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(),
                std::vector<int>{100 + 5 - 12 - 21 + 32, 1 + 65025 + 12 + 21 + 32, 100 + 5 - 12 - 21 + 32,
                                 7 + 3000 - 8000, 7 + 5000 + 12000, 7 + 12000000 + 8, 7 + 300000 + 12,
                                 100 - 1 - 2 * 0x7530, 100 + 3 * 0xffff + 4 * 0x7530,
                                 static_cast<int>(0xfffe0003u), static_cast<int>(0xc0000003u)});
}

/// The halves are loaded from memory. With constants, nvcc 13.0 exchanges the operands of __vibmax_s16x2(),
/// but not its predicates.
__global__ void dpx(const unsigned* halves, int* out) {
    int k = 0;
    bool first = false, second = false;
    out[k++] = __viaddmax_s32(1, 2, 9);
    out[k++] = __viaddmin_s32(1, 2, 9);
    out[k++] = __viaddmax_s32_relu(-5, 2, -9);
    out[k++] = static_cast<int>(__viaddmax_u32(0xffffffffu, 2u, 0u));  // the sum wraps around
    out[k++] = __vimax3_s32(-7, 4, 2);
    out[k++] = __vimin3_s32(-7, 4, 2);
    out[k++] = __vimax3_s32_relu(-7, -4, -2);
    out[k++] = __vimin3_s32_relu(7, 4, 2);
    out[k++] = static_cast<int>(__vimax3_u32(7u, 0xfffffff0u, 2u) - 0xfffffff0u);
    out[k++] = __vimax_s32_relu(-3, -4);
    out[k++] = __vimin_s32_relu(3, 4);
    out[k++] = __vibmax_s32(5, 5, &first);
    out[k++] = first;
    out[k++] = static_cast<int>(__vibmin_u32(5u, 4u, &first));
    out[k++] = first;
    out[k++] = static_cast<int>(__vibmax_s16x2(halves[0], halves[1], &first, &second));
    out[k++] = first + 2 * second;
    out[k++] = static_cast<int>(__vibmax_s16x2(halves[1], halves[0], &first, &second));
    out[k++] = first + 2 * second;
    out[k++] = static_cast<int>(__viaddmax_s16x2(0x0001fff0u, 0x00020001u, 0x00000000u));
    out[k++] = static_cast<int>(__vimax3_s16x2(0xffff0001u, 0x00010002u, 0x00020000u));
    out[k++] = static_cast<int>(__vimin3_u16x2(0xffff0001u, 0x00010002u, 0x00020003u));
    out[k++] = static_cast<int>(__vimin_s16x2_relu(0xffff0001u, 0x00010002u));
}

CASE("DPX: minimum and maximum of three, of a sum, not below zero, with predicates") {
    Buffer<unsigned> halves(std::vector<unsigned>{0x00058000u, 0x00067fffu});
    Buffer<int> out(23);
    dpx<<<1, 1>>>(halves, out);
    CHECK_EQUAL(out.read(),
                std::vector<int>{9, 3,          0, 1,          4,          -7,         0,         2,
                                 0, 0,          3, 5,          1,          4,          0,         0x00067fff,
                                 0, 0x00067fff, 3, 0x00030000, 0x00020002, 0x00010001, 0x00000001});
}

__constant__ int table[4];
__device__ int variable;

__global__ void kinds(const int* heap, int* out) {
    __shared__ int tile[4];
    volatile int mine[4] = {1, 2, 3, 4};
    const void* const places[] = {heap, &variable, tile + 1, const_cast<const int*>(mine + 1), table + 1};
    for (int i = 0; i < 5; ++i)
        out[i] = (__isGlobal(places[i]) != 0) + 2 * (__isShared(places[i]) != 0) +
                 4 * (__isLocal(places[i]) != 0) + 8 * (__isConstant(places[i]) != 0);
    tile[2] = 7;
    const std::size_t address = __cvta_generic_to_shared(tile + 2);
    out[5] = address < 256 * 1024 && __cvta_shared_to_generic(address) == static_cast<void*>(tile + 2);
    out[6] = __cvta_generic_to_shared(tile + 3) - address == sizeof(int);
    __builtin_assume(heap != nullptr);
}

CASE("__isGlobal, __isShared, __isLocal, __isConstant; addresses in shared memory and back") {
    Buffer<int> heap(4), out(7);
    kinds<<<1, 1>>>(heap, out);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 1, 2, 4, 8, 1, 1});
}

__global__ void add_vectors([[maybe_unused]] float2* pairs, [[maybe_unused]] float4* fours) {
#if __CUDA_ARCH__ >= 900
    atomicAdd(pairs, make_float2(1.0f, 2.0f));
    const float4 before = atomicAdd(fours, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
    if (before.w != 4.0f * before.x) atomicAdd(&fours[1].x, 1.0f);
#else
    atomicAdd(&pairs->x, 1.0f);
    atomicAdd(&pairs->y, 2.0f);
    for (int i = 0; i < 4; ++i) atomicAdd(&fours->x + i, i + 1.0f);
#endif
}

CASE("atomicAdd of float2 and float4 adds each number") {
    Buffer<float> pairs(std::vector<float>(2, 0.0f)), fours(std::vector<float>(8, 0.0f));
    add_vectors<<<4, 64>>>(reinterpret_cast<float2*>(pairs.data()), reinterpret_cast<float4*>(fours.data()));
    CHECK_EQUAL(pairs.read(), std::vector<float>{256, 512});
    std::vector<float> sums = fours.read();
    sums.resize(4);
    CHECK_EQUAL(sums, std::vector<float>{256, 512, 768, 1024});
}

CONFORMANCE_MAIN("intrinsics")
