// Arithmetic and conversion intrinsics, and the mathematical functions that device code may call.
#include <climits>
#include <cmath>
#include <limits>

#include "conformance.cuh"

constexpr float INF = std::numeric_limits<float>::infinity();

__global__ void float_to_int(const float* in, int* out) {
    const float x = in[threadIdx.x];
    int* mine = out + 4 * threadIdx.x;
    mine[0] = __float2int_rn(x);
    mine[1] = __float2int_rz(x);
    mine[2] = __float2int_ru(x);
    mine[3] = __float2int_rd(x);
}

CASE("__float2int_rn, _rz, _ru, _rd: ties go to even; out of range saturates; NaN is 0") {
    Buffer<float> in(std::vector<float>{2.5f, 3.5f, -2.5f, -2.1f, 0.9f, 1e20f, -1e20f, NAN});
    Buffer<int> out(8 * 4);
    float_to_int<<<1, 8>>>(in, out);
    CHECK_EQUAL(
        out.read(),
        std::vector<int>{2,       2,       3,       2,       4,       3,       4, 3, -2, -2,      -2,
                         -3,      -2,      -2,      -2,      -3,      1,       0, 1, 0,  INT_MAX, INT_MAX,
                         INT_MAX, INT_MAX, INT_MIN, INT_MIN, INT_MIN, INT_MIN, 0, 0, 0,  0});
}

__global__ void other_conversions(float x, double y, int i, long long wide, double* out) {
    int k = 0;
    out[k++] = __float2uint_rn(x);   // 7.5 -> 8
    out[k++] = __float2uint_rz(-x);  // a negative value saturates to 0
    out[k++] = static_cast<double>(__float2ll_rd(x));
    out[k++] = __double2int_rn(y);  // -1.5 -> -2
    out[k++] = __double2int_rz(y);
    out[k++] = static_cast<double>(__double2ll_ru(y));
    out[k++] = __double2float_rn(0.1);
    out[k++] = __int2float_rn(i);  // 16777217 is not a float, so it is rounded to even
    out[k++] = __int2float_ru(i);
    out[k++] = __uint2float_rn(4294967295u);
    out[k++] = __int2double_rn(i);
    out[k++] = __ll2double_rn(wide);
    out[k++] = __ll2float_rz(wide);
}

CASE("conversions between floating point and integers") {
    Buffer<double> out(13);
    other_conversions<<<1, 1>>>(7.5f, -1.5, 16777217, (1ll << 53) - 1, out);
    CHECK_EQUAL(out.read(),
                std::vector<double>{8, 0, 7, -2, -1, -1, static_cast<double>(0.1f), 16777216.0, 16777218.0,
                                    4294967296.0, 16777217.0, 9007199254740991.0, 9007198717870080.0});
}

__global__ void casts(float x, double y, int* out) {
    out[0] = static_cast<int>(x);
    out[1] = static_cast<int>(y);
    out[2] = static_cast<unsigned char>(static_cast<int>(x));
    out[3] = static_cast<int>(-x);
}

CASE("casts truncate toward zero") {
    Buffer<int> out(4);
    casts<<<1, 1>>>(3.99f, -3.99, out);
    CHECK_EQUAL(out.read(), std::vector<int>{3, -3, 3, -3});
}

__global__ void bits(float x, double y, unsigned long long* out) {
    out[0] = __float_as_uint(x);
    out[1] = static_cast<unsigned>(__float_as_int(-x));
    out[2] = __int_as_float(0x40490fdb) == 3.14159274f;
    out[3] = __uint_as_float(0x7f800000u) > 1e38f;
    out[4] = static_cast<unsigned long long>(__double_as_longlong(y));
    out[5] = __longlong_as_double(0x4000000000000000ll) == 2.0;
    out[6] = static_cast<unsigned>(__double2hiint(y));
    out[7] = static_cast<unsigned>(__double2loint(y));
    out[8] = __hiloint2double(0x3ff80000, 0) == 1.5;
}

CASE("reinterpreting bits: float and int, double and long long") {
    Buffer<unsigned long long> out(9);
    bits<<<1, 1>>>(1.0f, 0.1, out);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned long long>{0x3f800000, 0xbf800000, 1, 1, 0x3fb999999999999aull, 1,
                                                0x3fb99999, 0x9999999a, 1});
}

__global__ void counts(unsigned x, unsigned long long wide, unsigned long long* out) {
    int k = 0;
    out[k++] = static_cast<unsigned>(__popc(x));
    out[k++] = static_cast<unsigned>(__clz(static_cast<int>(x)));
    out[k++] = static_cast<unsigned>(__ffs(static_cast<int>(x)));
    out[k++] = __brev(x);
    out[k++] = static_cast<unsigned>(__popcll(wide));
    out[k++] = static_cast<unsigned>(__clzll(static_cast<long long>(wide)));
    out[k++] = static_cast<unsigned>(__ffsll(static_cast<long long>(wide)));
    out[k++] = __brevll(wide);
}

CASE("__popc, __clz, __ffs, __brev and their 64-bit forms") {
    Buffer<unsigned long long> out(8);
    counts<<<1, 1>>>(0x00f00010u, 0x0000100000000100ull, out);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned long long>{5, 8, 5, 0x08000f00, 2, 19, 9, 0x0080000000080000ull});
    counts<<<1, 1>>>(0, 0, out);
    CHECK_EQUAL(out.read(), std::vector<unsigned long long>{0, 32, 0, 0, 0, 64, 0, 0});
}

__global__ void products(int a, int b, unsigned c, unsigned d, unsigned long long e, long long* out) {
    int k = 0;
    out[k++] = __mul24(a, b);
    out[k++] = __umul24(c, d);
    out[k++] = __mulhi(a * 1000000, b * 1000);
    out[k++] = __umulhi(c, d);
    out[k++] = __mul64hi(static_cast<long long>(e), -4);
    out[k++] = static_cast<long long>(__umul64hi(e, e));
    out[k++] = __sad(a, b, 10u);
    out[k++] = __usad(c, d, 1u);
    out[k++] = __hadd(a, b);
    out[k++] = __rhadd(a, b);
    out[k++] = __uhadd(0xffffffffu, 0xfffffffdu);
    out[k++] = __urhadd(4u, 5u);
}

CASE("__mul24, __mulhi, __sad, __hadd and their relatives") {
    Buffer<long long> out(12);
    products<<<1, 1>>>(-7, 1200, 0xff000005u, 0x80000007u, 1ull << 62, out);
    CHECK_EQUAL(out.read(), std::vector<long long>{-8400, 35, -1956, 2139095049, -1, 1ll << 60, 1217,
                                                   2130706431, 596, 597, 0xfffffffell, 5});
}

__global__ void permutations(unsigned a, unsigned b, unsigned* out) {
    int k = 0;
    out[k++] = __byte_perm(a, b, 0x7531);
    out[k++] = __byte_perm(a, b, 0x0123);
    out[k++] = __funnelshift_l(a, b, 8);
    out[k++] = __funnelshift_r(a, b, 8);
    out[k++] = __funnelshift_l(a, b, 40);   // the shift is taken modulo 32
    out[k++] = __funnelshift_lc(a, b, 40);  // the shift is clamped to 32
    out[k++] = __funnelshift_rc(a, b, 32);
    out[k++] = __funnelshift_r(a, b, 32);
}

CASE("__byte_perm and __funnelshift") {
    Buffer<unsigned> out(8);
    permutations<<<1, 1>>>(0x33221100u, 0x77665544u, out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{0x77553311u, 0x00112233u, 0x66554433u, 0x44332211u,
                                                  0x66554433u, 0x33221100u, 0x77665544u, 0x33221100u});
}

__global__ void rounded(float x, float y, float z, float* out) {
    int k = 0;
    out[k++] = __fmaf_rn(x, x, z);
    out[k++] = fmaf(x, x, z);
    out[k++] = __fadd_rn(__fmul_rn(x, x), z);  // the compiler must not fuse these two
    out[k++] = __fadd_ru(1.0f, y);
    out[k++] = __fadd_rd(1.0f, y);
    out[k++] = __fadd_rz(-1.0f, -y);
    out[k++] = __fsub_rn(1.0f, y);
    out[k++] = __fdiv_rn(1.0f, 3.0f * x);
    out[k++] = __fsqrt_rn(2.0f * x);
    out[k++] = __frcp_rn(3.0f * x);
}

CASE("__fmaf_rn, __fadd_*, __fmul_rn, __fdiv_rn, __fsqrt_rn: rounded as their names say") {
    const float x = 1.0f + 1.0f / 4096, y = 1.0f / (1 << 30), z = -1.0f;
    const volatile float square = x * x;  // the volatile variable rounds to float
    Buffer<float> out(10);
    rounded<<<1, 1>>>(x, y, z, out);
    const float fused = std::fma(x, x, z);
    CHECK_EQUAL(out.read(),
                std::vector<float>{fused, fused, square + z, std::nextafter(1.0f, 2.0f), 1.0f, -1.0f, 1.0f,
                                   1.0f / (3.0f * x), std::sqrt(2.0f * x), 1.0f / (3.0f * x)});
}

__global__ void doubles(double x, double* out) {
    out[0] = __fma_rn(x, x, -1.0);
    out[1] = __dadd_rn(x, 1.0);
    out[2] = __dmul_rn(x, x);
    out[3] = __ddiv_rn(1.0, x);
    out[4] = __dsqrt_rn(x);
}

CASE("the same in double precision") {
    const double x = 1.0 + 1.0 / (1 << 27);
    Buffer<double> out(5);
    doubles<<<1, 1>>>(x, out);
    CHECK_EQUAL(out.read(), std::vector<double>{std::fma(x, x, -1.0), x + 1.0, x * x, 1.0 / x, std::sqrt(x)});
}

__global__ void extremes(int i, unsigned u, float nan, double* out) {
    int k = 0;
    out[k++] = min(i, 3);
    out[k++] = max(i, 3);
    out[k++] = min(u, 3u);
    out[k++] = max(i, u);  // mixed signs are compared as unsigned
    out[k++] = static_cast<double>(min(-5ll, 4ll));
    out[k++] = static_cast<double>(max(5ull, 4ull));
    out[k++] = min(1.5f, -2.0f);
    out[k++] = max(1.5, -2.0);
    out[k++] = max(1.5f, 2.5);
    out[k++] = fminf(nan, 2.0f);
    out[k++] = fmaxf(2.0f, nan);
    out[k++] = fmin(-1.0, 1.0);
    out[k++] = fmax(-1.0, 1.0);
    out[k++] = abs(i);
    out[k++] = fabsf(-0.5f);
}

CASE("min and max for every pair of types; fminf and fmaxf pass over NaN") {
    Buffer<double> out(15);
    extremes<<<1, 1>>>(-7, 9u, NAN, out);
    CHECK_EQUAL(out.read(),
                std::vector<double>{-7, 3, 3, 4294967289.0, -5, 5, -2, 1.5, 2.5, 2, 2, -1, 1, 7, 0.5});
}

__global__ void saturated(const float* in, float* out) {
    out[threadIdx.x] = __saturatef(in[threadIdx.x]);
}

CASE("__saturatef clamps to 0..1, and NaN to 0") {
    Buffer<float> in(std::vector<float>{-3, 0.25f, 7, INF, NAN}), out(5);
    saturated<<<1, 5>>>(in, out);
    CHECK_EQUAL(out.read(), std::vector<float>{0, 0.25f, 1, 1, 0});
}

__global__ void cached_loads(const int* in, const float4* wide, int* out) {
    const float4 vector = __ldg(wide);
    out[0] = __ldg(in) + __ldcg(in + 1) + __ldca(in + 2) + __ldcs(in + 3);
    out[1] = static_cast<int>(vector.x + vector.y + vector.z + vector.w);
    __stcs(out + 2, in[1]);
    __stcg(out + 3, in[2]);
}

CASE("__ldg and the other cache hints load and store plainly") {
    Buffer<int> in(std::vector<int>{1, 20, 300, 4000}), out(4);
    Buffer<float4> wide(std::vector<float4>(1, make_float4(1, 2, 3, 4)));
    cached_loads<<<1, 1>>>(in, wide, out);
    CHECK_EQUAL(out.read(), std::vector<int>{4321, 10, 20, 300});
}

__global__ void rounding(float x, double* out) {
    const double values[] = {floorf(x), ceilf(x),       truncf(x),         roundf(x),
                             rintf(x),  fmodf(x, 2.0f), copysignf(3.0f, x)};
    for (int i = 0; i < 7; ++i) out[i] = values[i];
    out[7] = static_cast<double>(lroundf(x));
    out[8] = ldexpf(x, 3);
}

CASE("floorf, ceilf, truncf, roundf, rintf, fmodf, copysignf, lroundf, ldexpf") {
    Buffer<double> out(9);
    rounding<<<1, 1>>>(-2.5f, out);
    CHECK_EQUAL(out.read(), std::vector<double>{-3, -2, -2, -3, -2, -0.5, -3, -3, -20});
}

__global__ void classes(float nan, float inf, int* out) {
    out[0] = isnan(nan) && !isnan(inf);
    out[1] = isinf(inf) && !isinf(1.0f);
    out[2] = isfinite(1.0f) && !isfinite(nan) && !isfinite(inf);
    out[3] = signbit(-inf) && !signbit(inf);
    out[4] = !(nan == nan) && !(nan < 1.0f);
}

CASE("isnan, isinf, isfinite, signbit") {
    Buffer<int> out(5);
    classes<<<1, 1>>>(NAN, INF, out);
    CHECK_EQUAL(out.read(), std::vector<int>(5, 1));
}

constexpr int FUNCTIONS = 24;

__global__ void functions(float x, float* out) {
    int k = 0;
    float sine, cosine;
    sincosf(x, &sine, &cosine);
    for (float value :
         {sinf(x),  cosf(x),   tanf(x),         expf(x),         exp2f(x),  exp10f(x),
          logf(x),  log2f(x),  log10f(x),       powf(x, 2.5f),   sqrtf(x),  rsqrtf(x),
          cbrtf(x), tanhf(x),  atan2f(x, 2.0f), hypotf(x, 1.0f), erff(x),   sine,
          cosine,   __sinf(x), __cosf(x),       __expf(x),       __logf(x), __fdividef(x, 3.0f)})
        out[k++] = value;
}

CASE("transcendental functions, precise and fast") {
    const float f = 1.25f;
    const double x = f;
    const std::vector<double> want = {
        std::sin(x),  std::cos(x),  std::tan(x),        std::exp(x),        std::exp2(x), std::pow(10, x),
        std::log(x),  std::log2(x), std::log10(x),      std::pow(x, 2.5),   std::sqrt(x), 1 / std::sqrt(x),
        std::cbrt(x), std::tanh(x), std::atan2(x, 2.0), std::hypot(x, 1.0), std::erf(x),  std::sin(x),
        std::cos(x),  std::sin(x),  std::cos(x),        std::exp(x),        std::log(x),  x / 3};
    Buffer<float> out(FUNCTIONS);
    functions<<<1, 1>>>(f, out);
    const std::vector<float> got = out.read();
    for (int i = 0; i < FUNCTIONS; ++i) {
        const double tolerance = (i < 19 ? 1e-6 : 4e-6) * std::fabs(want[i]);
        const bool close = std::fabs(got[i] - want[i]) <= tolerance;
        CHECK_EQUAL(close ? want[i] : static_cast<double>(got[i]), want[i]);
    }
}

CONFORMANCE_MAIN("math")
