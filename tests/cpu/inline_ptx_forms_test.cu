// Inline PTX with many forms: bit fields, carries, vectors, atomics, conversions, shared memory, named barriers, declared registers.
#include "conformance.cuh"

__global__ void bit_fields(unsigned long long* out) {
    unsigned a, b, c, d;
    int s;
    unsigned long long w;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(0x12345678u), "r"(8u), "r"(12u));
    asm("bfe.s32 %0, %1, 4, 8;" : "=r"(s) : "r"(0x00000f80));
    asm("bfe.u32 %0, %1, 28, 20;" : "=r"(b) : "r"(0xfedcba98u));
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(c) : "r"(0xabcu), "r"(0xffffffffu));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(0xff00ff00u), "r"(0xf0f0f0f0u), "r"(0xccccccccu));
    asm("bfe.u64 %0, %1, 40, 16;" : "=l"(w) : "l"(0x0123456789abcdefull));
    out[0] = a;
    out[1] = static_cast<unsigned>(s);
    out[2] = b;
    out[3] = c;
    out[4] = d;
    out[5] = w;
    asm("bfe.s32 %0, %1, 40, 4;" : "=r"(s) : "r"(-5));
    out[6] = static_cast<unsigned>(s);
    asm("bfi.b64 %0, %1, %2, 60, 8;" : "=l"(w) : "l"(0xffull), "l"(1ull));
    out[7] = w;
}

CASE("bfe, bfi and lop3") {
    Buffer<unsigned long long> out(8);
    bit_fields<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned long long>{0x456, 0xfffffff8u, 0xf, 0xfffffbcfu, 0xc33cc33cu,
                                                            0x2345, 0xffffffffu, 0xf000000000000001ull});
}

__global__ void carries(unsigned* out) {
    unsigned low, high;
    asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;"
        : "=r"(low), "=r"(high)
        : "r"(0xffffffffu), "r"(1u), "r"(2u), "r"(3u));
    out[0] = low;
    out[1] = high;
    asm("sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;"
        : "=r"(low), "=r"(high)
        : "r"(1u), "r"(7u), "r"(2u), "r"(3u));
    out[2] = low;
    out[3] = high;
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
        : "=r"(low), "=r"(high)
        : "r"(0x80000001u), "r"(6u), "r"(0xfffffffau));
    out[4] = low;
    out[5] = high;
}

CASE("add.cc with addc, sub.cc with subc, mad.lo.cc with madc.hi") {
    Buffer<unsigned> out(6);
    carries<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{1, 5, 0xffffffffu, 3, 0, 4});
}

__global__ void vectors(const float* in, const unsigned long long* wide, float* out,
                        unsigned long long* wide_out) {
    float x, y, z, w;
    unsigned long long a, b;
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(in));
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out), "f"(w), "f"(z), "f"(y), "f"(x)
                 : "memory");
    asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2 + 16];" : "=f"(x), "=f"(y) : "l"(in));
    asm volatile("st.global.v2.f32 [%0+16], {%1, %2};" ::"l"(out), "f"(y), "f"(x) : "memory");
    asm volatile("ld.global.v2.u64 {%0,%1}, [%2];" : "=l"(a), "=l"(b) : "l"(wide));
    asm volatile("st.global.v2.u64 [%0], {%2,%1};" ::"l"(wide_out), "l"(a), "l"(b) : "memory");
}

CASE("loads and stores of vectors, with a distance") {
    Buffer<float> in(std::vector<float>{1, 2, 3, 4, 5, 6}), out(6);
    Buffer<unsigned long long> wide(std::vector<unsigned long long>{7, 8}), wide_out(2);
    vectors<<<1, 1>>>(in, wide, out, wide_out);
    CHECK_EQUAL(out.read(), std::vector<float>{4, 3, 2, 1, 6, 5});
    CHECK_EQUAL(wide_out.read(), std::vector<unsigned long long>{8, 7});
}

__global__ void atomics(unsigned* sums, float* real, int* old) {
    const unsigned thread = threadIdx.x;
    int before;
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sums), "r"(thread) : "memory");
    asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(sums + 1), "r"(thread) : "memory");
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(real), "f"(0.5f) : "memory");
    asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(before) : "l"(old + 64), "r"(1) : "memory");
    old[before] = 1;
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(before)
                 : "l"(sums + 2), "r"(0), "r"(thread + 1)
                 : "memory");
    if (before == 0)
        asm volatile("atom.global.exch.b32 %0, [%1], 9;" : "=r"(before) : "l"(sums + 3) : "memory");
}

CASE("red and atom: add, max, compare and swap, exchange") {
    Buffer<unsigned> sums(std::vector<unsigned>(4, 0u));
    Buffer<float> real(std::vector<float>(1, 0.0f));
    Buffer<int> old(std::vector<int>(65, 0));
    atomics<<<1, 64>>>(sums, real, old);
    const std::vector<unsigned> got = sums.read();
    CHECK(got[0] == 64 * 63 / 2 && got[1] == 63 && got[2] >= 1 && got[2] <= 64 && got[3] == 9);
    CHECK_EQUAL(real.read(), std::vector<float>{32});
    std::vector<int> want(65, 1);
    want[64] = 64;
    CHECK_EQUAL(old.read(), want);
}

__global__ void bits_and_conversions(unsigned* out, float x, double y, int i) {
    unsigned u;
    float f;
    unsigned long long w;
    double d;
    int s;
    asm("mov.b32 %0, %1;" : "=r"(u) : "f"(x));
    out[0] = u;
    asm("mov.b32 %0, %1;" : "=f"(f) : "r"(0x40490fdbu));
    out[1] = f == 3.14159274f;
    asm("mov.b64 %0, %1;" : "=l"(w) : "d"(y));
    out[2] = static_cast<unsigned>(w >> 32);
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(x));
    out[3] = static_cast<unsigned>(s);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(x));
    out[4] = static_cast<unsigned>(s);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(i));
    out[5] = f == 16777216.0f;
    asm("cvt.rp.f32.s32 %0, %1;" : "=f"(f) : "r"(i));
    out[6] = f == 16777218.0f;
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
    out[7] = d == 2.5;
    asm("cvt.u32.u64 %0, %1;" : "=r"(u) : "l"(0x1234567890ull));
    out[8] = u;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(0xffffffffu), "r"(16u));
    out[9] = static_cast<unsigned>(w >> 32);
    asm("add.f32 %0, %1, 0f3F800000;" : "=f"(f) : "f"(x));
    out[10] = f == 3.5f;
}

CASE("mov of bits, cvt with its roundings, mul.wide, numbers in hexadecimal") {
    Buffer<unsigned> out(11);
    bits_and_conversions<<<1, 1>>>(out, 2.5f, 1.5, 16777217);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned>{0x40200000u, 1, 0x3ff80000u, 2, 2, 1, 1, 1, 0x34567890u, 15, 1});
}

__device__ unsigned address_of(const void* pointer) {
    unsigned long long address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
    return static_cast<unsigned>(address);
}

__global__ void in_shared(int* out) {
    __shared__ int tile[64];
    const unsigned thread = threadIdx.x;
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(address_of(tile + thread)), "r"(thread * 3) : "memory");
    __syncthreads();
    int value;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(address_of(tile + 63 - thread)) : "memory");
    __syncthreads();
    asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(tile))),
                 "r"(1)
                 : "memory");
    __syncthreads();
    out[thread] = value + (thread == 5 ? 1000 * tile[0] : 0);
}

CASE("cvta.to.shared, ld.shared, st.shared, red.shared") {
    Buffer<int> out(64);
    in_shared<<<1, 64>>>(out);
    std::vector<int> want(64);
    for (int t = 0; t < 64; ++t) want[t] = 3 * (63 - t) + (t == 5 ? 64000 : 0);
    CHECK_EQUAL(out.read(), want);
}

// Two warps produce and two consume. Each pair of warps waits at its own numbered barrier.
__global__ void numbered(int* out) {
    __shared__ int tile[128];
    const unsigned thread = threadIdx.x, pair = threadIdx.x / 64;
    tile[thread] = static_cast<int>(thread);
    if (pair == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync %0, %1;" ::"r"(2), "r"(64) : "memory");
    out[thread] = tile[thread ^ 32];
    asm volatile("bar.sync 0;" ::: "memory");
    out[thread] += tile[thread ^ 64];
    asm volatile("barrier.sync 3;" ::: "memory");
    if (thread < 32) {
        tile[thread] = 7;
        asm volatile("bar.arrive 4, 64;" ::: "memory");
    } else if (thread < 64) {
        asm volatile("bar.sync 4, 64;" ::: "memory");
        out[thread] += tile[thread - 32];
    }
}

CASE("bar.sync with a number and a count, bar.arrive") {
    Buffer<int> out(128);
    numbered<<<1, 128>>>(out);
    std::vector<int> want(128);
    for (int t = 0; t < 128; ++t) want[t] = (t ^ 32) + (t ^ 64) + (t >= 32 && t < 64 ? 7 : 0);
    CHECK_EQUAL(out.read(), want);
}

__global__ void leave_early(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x % 2) asm volatile("exit;");
    out[threadIdx.x] = 2;
}

CASE("exit ends the thread") {
    Buffer<int> out(4);
    leave_early<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{2, 1, 2, 1});
}

__device__ int clamp_with_predicate(int x, int limit) {
    int result;
    asm("{\n\t"
        ".reg .pred over;\n\t"
        ".reg .s32 twice, half;\n\t"
        "setp.gt.s32 over, %1, %2;\n\t"
        "mul.lo.s32 twice, %2, 2;\n\t"
        "selp.s32 half, %2, %1, over;\n\t"
        "mov.s32 %0, half;\n\t"
        "@over add.s32 %0, %0, twice;\n\t"
        "@!over sub.s32 %0, %0, 1;\n\t"
        "}"
        : "=r"(result)
        : "r"(x), "r"(limit));
    return result;
}

__global__ void registers_of_its_own(int* out) {
    out[threadIdx.x] = clamp_with_predicate(static_cast<int>(threadIdx.x), 3);
}

CASE("declared registers, setp, selp and predicates") {
    Buffer<int> out(6);
    registers_of_its_own<<<1, 6>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{-1, 0, 1, 2, 9, 9});
}

__global__ void special(unsigned long long* out) {
    unsigned long long time;
    unsigned lane, warps, below;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("mov.u32 %0, %nwarpid;" : "=r"(warps));
    asm("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(below) : "r"(lane * 10));
    out[threadIdx.x] = (time > 0) + 10 * lane + 1000 * (warps > 0) + 10000 * below;
}

CASE("special registers with one %, shfl.sync") {
    Buffer<unsigned long long> out(32);
    special<<<1, 32>>>(out);
    std::vector<unsigned long long> want(32);
    for (unsigned t = 0; t < 32; ++t) want[t] = 1 + 10 * t + 1000 + 100000ull * (t ? t - 1 : 0);
    CHECK_EQUAL(out.read(), want);
}

__global__ void pass_on(int* data, unsigned* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        unsigned ready = 0;
        while (!ready)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
        *out = *data;
    }
}

CASE("st.release and ld.acquire pass a value on") {
    Buffer<int> data(1), out(1);
    Buffer<unsigned> flag(std::vector<unsigned>(1, 0u));
    pass_on<<<2, 1>>>(data, flag, out);
    CHECK_EQUAL(out.read(), std::vector<int>{42});
}

__global__ void copies([[maybe_unused]] const int* in, int* out) {
#if __CUDA_ARCH__ >= 800
    __shared__ __align__(16) int tile[2][128];
    const unsigned thread = threadIdx.x;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address_of(&tile[0][thread])),
                 "l"(in + thread)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (thread < 32)
        asm volatile(
            "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(address_of(&tile[1][4 * thread])),
            "l"(in + 128 + 4 * thread), "r"(thread == 31 ? 8 : 16)
            : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    const int first = tile[0][127 - thread];
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[thread] = first + 1000 * tile[1][127 - thread];
#else
    out[threadIdx.x] = 127 - threadIdx.x + (threadIdx.x < 2 ? 0 : 1000 * (255 - threadIdx.x));
#endif
}

CASE("cp.async with groups, and with zeros at the end") {
    std::vector<int> values(256), want(128);
    for (int i = 0; i < 256; ++i) values[i] = i;
    for (int t = 0; t < 128; ++t) want[t] = 127 - t + (t < 2 ? 0 : 1000 * (255 - t));
    Buffer<int> in(values), out(128);
    copies<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read(), want);
}

__global__ void among_lanes(unsigned* out) {
    const unsigned lane = threadIdx.x;
    unsigned votes, equal, any;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 8; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(votes)
                 : "r"(lane));
    asm volatile(
        "{ .reg .pred p, q; setp.eq.u32 p, %1, 5; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; "
        "}"
        : "=r"(any)
        : "r"(lane));
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(equal) : "r"(lane / 16));
    out[lane] = votes + 1000 * any + (equal == (lane < 16 ? 0xffffu : 0xffff0000u));
#if __CUDA_ARCH__ >= 800
    unsigned sum;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
    out[lane] += 10000 * sum;
#else
    out[lane] += 10000 * 496;
#endif
}

CASE("vote.sync, match.any.sync, redux.sync") {
    Buffer<unsigned> out(32);
    among_lanes<<<1, 32>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>(32, 255 + 1000 + 1 + 4960000));
}

__global__ void flushing(float* out) {
    float power, inverse, root;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-3.0f));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(4.0f));
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(0.0f));
    out[0] = power;
    out[1] = inverse;
    out[2] = root;
}

CASE("approx with ftz") {
    Buffer<float> out(3);
    flushing<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<float>{0.125f, 0.25f, 0.0f});
}

CONFORMANCE_MAIN("inline_ptx_forms")
