// Tests of the profile: which lanes of a warp execute together, and where they diverge. Each expected number
// follows from the addresses.
#include <cooperative_groups.h>

#include <algorithm>

#include "profile_fixture.cuh"

// ---- which lanes execute together ----

__global__ void triangle(int* out, const int* in) {
    int sum = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i) sum += in[i];
    out[threadIdx.x] = sum;
}
CASE("a loop of as many rounds as the lane has a number: 32 rounds of the warp, and all meet behind it") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((triangle<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 32, 32 * 33 / 2, 32, 32);
    CHECK_REQUESTS(store, 1, 32, 4, 4);
}

__global__ void nested(int* out, const int* in) {
    int sum = 0;
    for (unsigned i = 0; i < 1 + threadIdx.x % 4; ++i)
        for (unsigned k = 0; k < 1 + threadIdx.x / 16; ++k) sum += in[i * 2 + k];
    out[threadIdx.x] = sum;
}
CASE("loops in a loop, both ragged") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((nested<<<1, 32>>>(out, in)));
    // In round i of the outer loop, lanes with lane % 4 >= i are active. All active lanes run the first inner
    // round, and half of them the second.
    CHECK_REQUESTS(load, 8, 32 + 16 + 24 + 12 + 16 + 8 + 8 + 4, 8, 8);
    CHECK_REQUESTS(store, 1, 32, 4, 4);
}

__global__ void count_odd_ones(unsigned* bins, const int* in, int n) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) {
        const int value = in[i];
        if (value % 2 != 0) atomicAdd(&bins[value], 1u);
    }
}

CASE("lanes that have nothing to do in a round wait for the next one") {
    constexpr int rounds = 8;
    std::vector<int> values(32 * rounds);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>((i + i / 32) % 7);
    Buffer<int> in(values);
    Buffer<unsigned> bins(7, 0u);
    COUNTED((count_odd_ones<<<1, 32>>>(bins, in, 32 * rounds)));
    CHECK_REQUESTS(load, rounds, 32 * rounds, 4 * rounds, 4 * rounds);
}

struct Pair {
    int first, second;
};

__global__ void copy_pairs(Pair* out, const Pair* in) {
    out[threadIdx.x] = in[threadIdx.x];
}

CASE("a struct that is aligned to its words goes word by word") {
    Buffer<Pair> in(32, Pair{1, 2}), out(32);
    COUNTED((copy_pairs<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 2, 64, 16, 8);
    CHECK_REQUESTS(store, 2, 64, 16, 8);
}

__global__ void two_ways(int* out, const int* in) {
    if (threadIdx.x % 2)
        out[threadIdx.x] = in[threadIdx.x];
    else
        out[threadIdx.x] = 7;
}
CASE("two ways through a branch are two requests, of half the lanes each") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((two_ways<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 16, 4, 2);
    CHECK_REQUESTS(store, 2, 32, 8, 4);
}

__global__ void exchange(int* out, const int* in) {
    int value = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
        out[threadIdx.x] = value;
    }
}
CASE("lanes that meet in a shuffle stay together") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((exchange<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 32, 4, 4);
    CHECK_REQUESTS(store, 5, 160, 20, 20);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 32));
}

__device__ __noinline__ int weighed(const int* in, int i) {
    return 3 * in[i] + 1;
}
__global__ void calls_a_helper(int* out, const int* in) {
    int sum = weighed(in, threadIdx.x);
    if (threadIdx.x < 8) sum += weighed(in, threadIdx.x + 8);
    out[threadIdx.x] = sum;
}
CASE("a helper that is called twice") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((calls_a_helper<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 2, 40, 5, 5);
}

/// The lines of the two stores to `tile`. A compiler could merge the stores, because each round ends with the
/// statement after which the next round starts.
[[maybe_unused]] constexpr int first_store = __LINE__ + 4, second_store = __LINE__ + 9;
__global__ void stores_at_two_places(int* out, const int* in) {
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = in[t];
    for (int stride = 1; stride < 32; stride *= 2) {
        __syncthreads();
        const int sum = tile[t] + (t >= stride ? tile[t - stride] : 0);
        __syncthreads();
        tile[t] = sum;
    }
    out[t] = tile[t];
}
CASE("each store has the line where it is written") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((stores_at_two_places<<<1, 32>>>(out, in)));
    CHECK_EQUAL(out.read()[31], 32);
#ifdef KIT_CPU
    std::uint64_t at_first = 0, at_second = 0;
    for (const kit::cpu::LineCounts& line : profile.lines) {
        if (line.place.line == first_store) at_first += line.of(RequestKind::shared_store).requests;
        if (line.place.line == second_store) at_second += line.of(RequestKind::shared_store).requests;
    }
    CHECK_EQUAL(at_first, std::uint64_t(1));
    CHECK_EQUAL(at_second, std::uint64_t(5));
#endif
}

// ---- divergent branches ----

CASE("a guard that cuts a warp in two, warps of which all or none are beyond it") {
    Buffer<float> in(70, 1.0f), out(70);
    COUNTED((copy_some<<<1, 128>>>(out, in, 70)));
    CHECK_DIVERGENT(1);
#ifdef KIT_CPU
    CHECK_EQUAL(profile.lines.size(), 1u);
#endif
}
CASE("full warps side by side do not diverge, nor does a warp of which only some lanes exist") {
    Buffer<float> in(77, 1.0f), out(77);
    COUNTED((copy_some<<<1, 77>>>(out, in, 77)));
    CHECK_DIVERGENT(0);
}
CASE("two ways through a branch: one divergent branch") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((two_ways<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(1);
}
CASE("lanes leave a loop one after another: 31 of 32 rounds divide the warp") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((triangle<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(31);
}

/// Branch 0 has one access, branch 1 has two, branch 2 none, and branch 3 an atomic access.
__global__ void four_ways(int* out, const int* in) {
    switch (threadIdx.x % 4) {
        case 0:
            out[threadIdx.x] = 1;
            break;
        case 1:
            out[threadIdx.x] = in[threadIdx.x];
            break;
        case 2:
            break;
        default:
            atomicAdd(&out[threadIdx.x], 1);
    }
}
CASE("four ways, of which one does nothing: three divergent branches") {
    Buffer<int> in(32, 1), out(32, 0);
    COUNTED((four_ways<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(3);
}

/// After each of two barriers, groups of `distance` lanes diverge.
__global__ void divided(int* out, int distance) {
    for (int round = 0; round < 2; ++round) {
        __syncthreads();
        if (static_cast<int>(threadIdx.x) / distance % 2 == 0) out[threadIdx.x] = round;
    }
}
CASE("behind a barrier all are together again; between warps nothing diverges") {
    Buffer<int> out(128);
    for (const auto& [distance, wanted] :
         {std::pair(1, 8), std::pair(16, 8), std::pair(32, 0), std::pair(64, 0)}) {
        COUNTED((divided<<<1, 128>>>(out, distance)));
        CHECK_DIVERGENT(wanted);
    }
}

__global__ void votes_then_writes(int* out, const int* in) {
    const int value = in[threadIdx.x];
    const unsigned votes = __ballot_sync(0xffffffffu, value > 0);
    if (value > 0) out[__popc(votes & ((1u << threadIdx.x) - 1))] = value;
    const int all = __shfl_sync(0xffffffffu, __popc(votes), 0);
    out[32 + threadIdx.x] = all;
}
CASE("lanes that part between two shuffles are together behind the second") {
    std::vector<int> values(32);
    for (int i = 0; i < 32; ++i) values[i] = i % 3;
    Buffer<int> in(values), out(64);
    COUNTED((votes_then_writes<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(1);
    CHECK_REQUESTS(store, 2, 21 + 32, 3 + 4, 3 + 4);
}

/// In each round, every second lane writes, and then all lanes vote.
__global__ void every_other_lane(int* out) {
    for (unsigned round = 0; round < 4; ++round) {
        if ((threadIdx.x + round) % 2 == 0) out[32 * round + threadIdx.x] = 1;
        if (__all_sync(0xffffffffu, out == nullptr)) break;
    }
}
/// The same kernel with tiles, each of which votes separately.
__global__ void every_other_lane_of_tiles(int* out) {
    const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    for (unsigned round = 0; round < 4; ++round) {
        if ((threadIdx.x + round) % 2 == 0) out[32 * round + threadIdx.x] = 1;
        if (tile.all(out == nullptr)) break;
    }
}
CASE("a vote ends a round: lanes that have nothing to do in it do not begin the next one") {
    for (const auto& kernel : {every_other_lane, every_other_lane_of_tiles}) {
        Buffer<int> out(128, 0);
        COUNTED((kernel<<<1, 32>>>(out)));
        // In each round, 16 lanes access every second word of four sectors.
        CHECK_REQUESTS(store, 4, 4 * 16, 4 * 4, 4 * 2);
        CHECK_DIVERGENT(4);
    }
}

/// The same kernel with a warp barrier. The loaded value decides which lane writes.
__global__ void writes_behind_syncwarp(int* out, const int* in) {
    for (unsigned round = 0; round < 4; ++round) {
        const int value = in[32 * round + threadIdx.x];
        __syncwarp();
        if (value % 2 == 0) out[32 * round + threadIdx.x] = value;
    }
}
CASE("a barrier of the warp in a loop: who writes behind it loads with the others again") {
    std::vector<int> values(128);
    for (int i = 0; i < 128; ++i) values[i] = i + i / 32;
    Buffer<int> in(values), out(128, 0);
    COUNTED((writes_behind_syncwarp<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 4, 128, 16, 16);
    CHECK_REQUESTS(store, 4, 64, 16, 8);
    CHECK_DIVERGENT(4);
}

/// After every eight rounds, lanes that have finished get a new task. The kernel itself counts the rounds of
/// the warp.
__global__ void refilled(const int* lengths, unsigned count, const unsigned* table, unsigned* out,
                         unsigned* next, unsigned* rounds) {
    const unsigned all = 0xffffffffu, lane = threadIdx.x % 32;
    unsigned mine = count, x = 0, gone = 0;
    int left = 0;
    bool more = true;
    for (;;) {
        const unsigned free = __ballot_sync(all, mine == count);
        if (free != 0 && more) {
            unsigned begin = 0;
            if (lane == 0) begin = atomicAdd(next, __popc(free));
            begin = __shfl_sync(all, begin, 0);
            const unsigned i = begin + __popc(free & ((1u << lane) - 1));
            if (mine == count && i < count) {
                mine = i;
                x = i;
                left = lengths[i];
            }
            more = begin + __popc(free) < count;
        }
        if (!__any_sync(all, mine < count)) break;
        int most = min(8, left);
        for (int offset = 16; offset > 0; offset /= 2) most = max(most, __shfl_xor_sync(all, most, offset));
        gone += most;
        for (int k = 0; k < 8 && left > 0; ++k, --left) x = x * 1664525u + __ldg(&table[x >> 24]);
        if (mine < count && left == 0) {
            out[mine] = x;
            mine = count;
        }
    }
    if (lane == 0) atomicAdd(rounds, gone);
}
CASE("lanes that wait for the others at a vote: as many loads as the kernel counts rounds") {
    std::vector<int> lengths(1024);
    for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = i % 37 == 5 ? 300 : 1 + static_cast<int>(i * 7 % 17);
    Buffer<int> in(lengths);
    Buffer<unsigned> table(256, 7u), out(1024, 0u), next(1, 0u), rounds(1, 0u);
    COUNTED((refilled<<<2, 64>>>(in, 1024, table, out, next, rounds)));
#ifdef KIT_CPU
    std::uint64_t most = 0;  // the loads from the table are the most frequent ones
    for (const kit::cpu::LineCounts& line : profile.lines)
        most = std::max(most, line.of(RequestKind::load).requests);
    CHECK_EQUAL(most, std::uint64_t(rounds.read()[0]));
#endif
    CHECK(rounds.read()[0] > 0);
}

/// Half of the warp executes a shuffle in a branch.
__global__ void half_exchanges(int* out, const int* in) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_xor_sync(0xffffu, value, 1);
    out[threadIdx.x] = value;
}
CASE("who shuffles in a branch is awaited behind it") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((half_exchanges<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(store, 1, 32, 4, 4);
    CHECK_DIVERGENT(1);
}

/// Tiles of 8 lanes synchronize separately.
__global__ void tiles_of_8(int* out, const int* in) {
    int value = in[threadIdx.x];
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    for (int offset = 4; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
    out[threadIdx.x] = value;
}
CASE("tiles that meet for themselves go on together") {
    Buffer<int> in(64, 1), out(64);
    COUNTED((tiles_of_8<<<1, 64>>>(out, in)));
    CHECK_DIVERGENT(0);
    CHECK_REQUESTS(store, 2, 64, 8, 8);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 8));
}

/// The two sides of the branch have no access, so the executor does not see it. A GPU's compiler would not
/// emit a branch either.
__global__ void chooses(int* out, const int* in) {
    const int value = in[threadIdx.x];
    int result = 3 * value;
    if (threadIdx.x % 2) result = value + 7;
    out[threadIdx.x] = result;
}
CASE("a choice without an access is no divergent branch") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((chooses<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(0);
}

CONFORMANCE_MAIN("profile_lanes")
