// Warp votes, matches, reductions and __activemask.
#include "conformance.cuh"

constexpr unsigned FULL = 0xffffffffu;

__global__ void votes(int threshold, unsigned* ballot, int* all, int* any) {
    const unsigned i = threadIdx.x;
    const int predicate = static_cast<int>(i % 32) < threshold ? 8 : 0;  // any non-zero predicate counts
    ballot[i] = __ballot_sync(FULL, predicate);
    all[i] = __all_sync(FULL, predicate) != 0;
    any[i] = __any_sync(FULL, predicate) != 0;
}

CASE("__ballot_sync, __all_sync, __any_sync in full warps") {
    for (int threshold : {0, 1, 17, 31, 32}) {
        Buffer<unsigned> ballot(64);
        Buffer<int> all(64), any(64);
        votes<<<1, 64>>>(threshold, ballot, all, any);
        CHECK_EQUAL(ballot.read(), std::vector<unsigned>(64, threshold == 32 ? FULL : (1u << threshold) - 1));
        CHECK_EQUAL(all.read(), std::vector<int>(64, threshold == 32));
        CHECK_EQUAL(any.read(), std::vector<int>(64, threshold > 0));
    }
}

CASE("votes in a ragged warp: lanes that do not exist vote neither way") {
    Buffer<unsigned> ballot(40);
    Buffer<int> all(40), any(40);
    votes<<<1, 40>>>(8, ballot, all, any);
    std::vector<unsigned> want_ballot(40, 0xffu);
    std::vector<int> want_all(40, 0);
    for (int i = 32; i < 40; ++i) want_all[i] = 1;
    CHECK_EQUAL(ballot.read(), want_ballot);
    CHECK_EQUAL(all.read(), want_all);
    CHECK_EQUAL(any.read(), std::vector<int>(40, 1));
}

__global__ void partial_votes(unsigned* out) {
    const int lane = static_cast<int>(threadIdx.x);
    unsigned result;
    if (lane % 4 == 1)
        result = __ballot_sync(0x22222222u, lane > 10);
    else
        result = __ballot_sync(0xddddddddu, lane == 2 || lane == 31);
    out[lane] = result;
}

CASE("__ballot_sync with partial masks in both branches") {
    Buffer<unsigned> out(32);
    partial_votes<<<1, 32>>>(out);
    std::vector<unsigned> want(32);
    for (int i = 0; i < 32; ++i) want[i] = i % 4 == 1 ? 0x22222000u : 0x80000004u;
    CHECK_EQUAL(out.read(), want);
}

__global__ void compact(const int* in, int* out, int* count) {
    const int lane = static_cast<int>(threadIdx.x);
    const bool keep = in[lane] > 0;
    const unsigned kept = __ballot_sync(FULL, keep);
    if (keep) out[__popc(kept & ((1u << lane) - 1))] = in[lane];
    if (lane == 0) *count = __popc(kept);
}

CASE("stream compaction with a ballot") {
    std::vector<int> in(32), want;
    for (int i = 0; i < 32; ++i) {
        in[i] = i * 37 % 11 - 5;
        if (in[i] > 0) want.push_back(in[i]);
    }
    Buffer<int> data(in), out(32), count(1);
    compact<<<1, 32>>>(data, out, count);
    CHECK_EQUAL(count.read()[0], static_cast<int>(want.size()));
    std::vector<int> got = out.read();
    got.resize(want.size());
    CHECK_EQUAL(got, want);
}

template <class T>
__global__ void match_any(const T* in, unsigned* out) {
    out[threadIdx.x] = __match_any_sync(FULL, in[threadIdx.x]);
}

template <class T>
void check_match_any() {
    std::vector<T> in(32);
    std::vector<unsigned> want(32);
    for (int i = 0; i < 32; ++i)
        in[i] = static_cast<T>(i * i % 7) + static_cast<T>(sizeof(T) == 8 ? 1e12 : 1);
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) want[i] |= (in[i] == in[j] ? 1u : 0u) << j;
    Buffer<T> data(in);
    Buffer<unsigned> out(32);
    match_any<<<1, 32>>>(data.data(), out.data());
    CHECK_EQUAL(out.read(), want);
}

CASE("__match_any_sync: lanes with the same value, every type") {
    check_match_any<int>();
    check_match_any<unsigned>();
    check_match_any<long long>();
    check_match_any<unsigned long long>();
    check_match_any<float>();
    check_match_any<double>();
}

template <class T>
__global__ void match_all(const T* in, unsigned* mask, int* same) {
    int predicate = 5;
    mask[threadIdx.x] = __match_all_sync(FULL, in[threadIdx.x], &predicate);
    same[threadIdx.x] = predicate != 0;
}

template <class T>
void check_match_all(bool alike) {
    std::vector<T> in(32, static_cast<T>(3));
    if (!alike) in[13] = static_cast<T>(4);
    Buffer<T> data(in);
    Buffer<unsigned> mask(32);
    Buffer<int> same(32);
    match_all<<<1, 32>>>(data.data(), mask.data(), same.data());
    CHECK_EQUAL(mask.read(), std::vector<unsigned>(32, alike ? FULL : 0u));
    CHECK_EQUAL(same.read(), std::vector<int>(32, alike));
}

CASE("__match_all_sync: the mask and the predicate") {
    for (bool alike : {true, false}) {
        check_match_all<int>(alike);
        check_match_all<unsigned long long>(alike);
        check_match_all<double>(alike);
    }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAS_WARP_REDUCE
#endif

template <class T>
__global__ void reduce(const T* in, T* out, unsigned mask) {
#ifdef HAS_WARP_REDUCE
    if (mask >> threadIdx.x & 1) {
        const T value = in[threadIdx.x];
        T* mine = out + 3 * threadIdx.x;
        mine[0] = __reduce_add_sync(mask, value);
        mine[1] = __reduce_min_sync(mask, value);
        mine[2] = __reduce_max_sync(mask, value);
    }
#endif
}

bool has_warp_reduce() {
    int major = 0;
    REQUIRE_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 8;
}

template <class T>
void check_reduce(unsigned mask) {
    std::vector<T> in(32), want(3 * 32);
    T sum = 0, low = 0, high = 0;
    bool first = true;
    for (int i = 0; i < 32; ++i) {
        in[i] = static_cast<T>(static_cast<unsigned>(i * 2654435761u) >> 4) - static_cast<T>(1 << 27);
        if (!(mask >> i & 1)) continue;
        sum = static_cast<T>(static_cast<unsigned>(sum) + static_cast<unsigned>(in[i]));
        low = first || in[i] < low ? in[i] : low;
        high = first || in[i] > high ? in[i] : high;
        first = false;
    }
    for (int i = 0; i < 32; ++i)
        if (mask >> i & 1) {
            want[3 * i] = sum;
            want[3 * i + 1] = low;
            want[3 * i + 2] = high;
        }
    Buffer<T> data(in), out(3 * 32);
    reduce<<<1, 32>>>(data.data(), out.data(), mask);
    CHECK_EQUAL(out.read(), want);
}

CASE("__reduce_add_sync, _min_, _max_: signed and unsigned, full and partial masks") {
    if (!has_warp_reduce()) SKIP("__reduce_*_sync needs compute capability 8.0");
    for (unsigned mask : {FULL, 0x0f0f0f0fu, 0x00000010u}) {
        check_reduce<int>(mask);
        check_reduce<unsigned>(mask);
    }
}

__global__ void reduce_bits(unsigned* out) {
#ifdef HAS_WARP_REDUCE
    const unsigned value = 0xff000000u | 1u << threadIdx.x % 20;
    out[3 * threadIdx.x] = __reduce_and_sync(FULL, value);
    out[3 * threadIdx.x + 1] = __reduce_or_sync(FULL, value);
    out[3 * threadIdx.x + 2] = __reduce_xor_sync(FULL, value);
#endif
}

CASE("__reduce_and_sync, _or_, _xor_") {
    if (!has_warp_reduce()) SKIP("__reduce_*_sync needs compute capability 8.0");
    Buffer<unsigned> out(96);
    reduce_bits<<<1, 32>>>(out);
    std::vector<unsigned> want(96);
    for (int i = 0; i < 32; ++i) {
        want[3 * i] = 0xff000000u;
        want[3 * i + 1] = 0xff0fffffu;
        want[3 * i + 2] = 0x000ff000u;  // lanes 0 to 11 and 20 to 31 set the same bits
    }
    CHECK_EQUAL(out.read(), want);
}

__global__ void active(unsigned* out) {
    unsigned mask = 0;
    if (threadIdx.x % 32 < 10) mask = __activemask();
    out[threadIdx.x] = mask;
}

CASE("__activemask: the caller is in it, lanes outside the branch and absent lanes are not") {
    Buffer<unsigned> out(37);
    active<<<1, 37>>>(out);
    const std::vector<unsigned> got = out.read();
    for (unsigned i = 0; i < 37; ++i) {
        const unsigned may = i < 32 ? 0x3ffu : 0x1fu;
        CHECK_EQUAL(got[i] & ~may, 0u);
        if (i % 32 < 10) CHECK_EQUAL(got[i] >> i % 32 & 1, 1u);
    }
}

__global__ void aggregated(int* counter, int* tickets) {
    const unsigned group = __activemask();  // lanes that execute this together share one atomic
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int leader = __ffs(static_cast<int>(group)) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(group));
    base = __shfl_sync(group, base, leader);
    tickets[threadIdx.x] = base + __popc(group & ((1u << lane) - 1));
}

CASE("opportunistic warp aggregation hands out each ticket once") {
    Buffer<int> counter(1), tickets(100);
    aggregated<<<1, 100>>>(counter, tickets);
    std::vector<int> seen(100), got = tickets.read();
    for (int ticket : got)
        if (ticket >= 0 && ticket < 100) ++seen[ticket];
    CHECK_EQUAL(counter.read()[0], 100);
    CHECK_EQUAL(seen, std::vector<int>(100, 1));
}

__global__ void after_exit(unsigned* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane % 3 == 0) return;
    out[lane] = __ballot_sync(FULL, 1);
}

CASE_MISUSE("__ballot_sync: lanes that have returned count as no") {
    Buffer<unsigned> out(32);
    after_exit<<<1, 32>>>(out);
    unsigned mask = 0;
    for (int i = 0; i < 32; ++i)
        if (i % 3 != 0) mask |= 1u << i;
    std::vector<unsigned> want(32, 0u);
    for (int i = 0; i < 32; ++i)
        if (i % 3 != 0) want[i] = mask;
    CHECK_EQUAL(out.read(), want);
}

CONFORMANCE_MAIN("vote")
