// Masks that contain lanes which have returned. This is legal in every warp function, as long as no thread
// uses a value of these lanes.
#include <cooperative_groups.h>

#include "checks.cuh"

using Ints = std::vector<int>;
namespace cg = cooperative_groups;

constexpr unsigned all_lanes = 0xffffffffu;

__global__ void votes(const int* in, int n, unsigned* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    const int value = in[lane];
    const unsigned ballot = __ballot_sync(all_lanes, value > 3);
    const int any = __any_sync(all_lanes, value == 19), none = __any_sync(all_lanes, value == 20);
    const int all = __all_sync(all_lanes, value < 20), not_all = __all_sync(all_lanes, value < 19);
    if (lane == 0) {
        out[0] = ballot;
        out[1] = any && !none;
        out[2] = all && !not_all;
    }
}
SILENT("votes after a return") {
    Ints values(32, 99);
    for (int i = 0; i < 20; ++i) values[i] = i;
    Buffer<int> in(values);
    Buffer<unsigned> out(3);
    votes<<<1, 32>>>(in, 20, out);
    CHECK_EQUAL(out.read(), (std::vector<unsigned>{0x000ffff0u, 1u, 1u}));
}

__global__ void matches(const int* in, int n, unsigned* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    int alike = 0;
    const unsigned equal = __match_any_sync(all_lanes, in[lane]);
    __match_all_sync(all_lanes, 7, &alike);
    if (lane == 0) {
        out[0] = equal;
        out[1] = alike != 0;
    }
}
SILENT("matches after a return") {
    Buffer<int> in(32, 5);
    Buffer<unsigned> out(2);
    matches<<<1, 32>>>(in, 20, out);
    CHECK_EQUAL(out.read(), (std::vector<unsigned>{0x000fffffu, 1u}));
}

__global__ void reductions(int n, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    const unsigned bits = 1u << lane;
    const int sum = __reduce_add_sync(all_lanes, lane), most = __reduce_max_sync(all_lanes, lane),
              least = __reduce_min_sync(all_lanes, lane + 1);
    const unsigned any = __reduce_or_sync(all_lanes, bits), odd = __reduce_xor_sync(all_lanes, bits),
                   all = __reduce_and_sync(all_lanes, 0xfffu | bits);
    if (lane == 0) {
        out[0] = sum;
        out[1] = most;
        out[2] = least;
        out[3] = static_cast<int>(any);
        out[4] = static_cast<int>(odd);
        out[5] = static_cast<int>(all);
    }
}
SILENT("reductions after a return") {
    Buffer<int> out(6);
    reductions<<<1, 32>>>(20, out);
    CHECK_EQUAL(out.read(), (Ints{190, 19, 1, 0x000fffff, 0x000fffff, 0xfff}));
}

__global__ void shuffles(int n, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    const int first = __shfl_sync(all_lanes, lane + 7, 0);
    const int left = __shfl_up_sync(all_lanes, lane, 1);
    const int right = __shfl_down_sync(all_lanes, lane, 1);
    const int partner = __shfl_xor_sync(all_lanes, lane, 16);
    out[lane] = first + left + (lane + 1 < n ? right : 0) + ((lane ^ 16) < n ? partner : 0);
}
SILENT("shuffles after a return, and each lane uses values of those that stay") {
    Buffer<int> out(20);
    shuffles<<<1, 32>>>(20, out);
    CHECK_EQUAL(out.read()[0], 7 + 0 + 1 + 16);
    CHECK_EQUAL(out.read()[19], 7 + 18 + 0 + 3);
}

__global__ void through_memory(int n, int* out) {
    __shared__ int cells[32];
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    cells[lane] = lane;
    __syncwarp();
    out[lane] = cells[n - 1 - lane];
}
SILENT("__syncwarp() after a return") {
    Buffer<int> out(20);
    through_memory<<<1, 32>>>(20, out);
    CHECK_EQUAL(out.read()[0], 19);
}

__global__ void returns_late(const int* in, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int rounds = 0;
    for (int left = in[lane]; left > 0; --left) {
        const unsigned votes = __ballot_sync(all_lanes, 1);
        rounds += static_cast<int>(votes >> lane & 1u);
    }
    out[lane] = rounds;
}
SILENT("lanes leave the loop with the vote one by one, and return") {
    Ints rounds;
    for (int i = 0; i < 32; ++i) rounds.push_back(i % 5);
    Buffer<int> in(rounds), out(32);
    returns_late<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read(), rounds);
}

__global__ void if_at_the_end(int n, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < n) {
        const int sum = __reduce_add_sync(all_lanes, lane);
        __syncwarp();
        if (lane == 0) *out = sum;
    }
}
SILENT("lanes skip an if at the end of the kernel, and return") {
    Buffer<int> out(1);
    if_at_the_end<<<1, 32>>>(5, out);
    CHECK_EQUAL(out.read(), Ints{10});
}

__global__ void a_few_stay(const int* in, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int value = in[lane];
    if (value < 0) return;
    const unsigned staying = __ballot_sync(all_lanes, 1);
    const int leader = __ffs(static_cast<int>(staying)) - 1;
    value = __shfl_sync(all_lanes, value, leader);
    if (__popc(staying) > 3 && lane == leader) return;
    const unsigned after = __ballot_sync(all_lanes, 1);
    out[lane] = value + static_cast<int>(__popc(after));
}
SILENT("lanes return at several places of the kernel") {
    Ints values(32, -1);
    for (const int lane : {3, 8, 11, 30}) values[lane] = lane;
    Buffer<int> in(values), out(Ints(32, 0));
    a_few_stay<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[3], 0);
    CHECK_EQUAL(out.read()[30], 3 + 3);
}

__global__ void tiles(int n, int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= n) return;
    int alike = 0;
    const int first = tile.shfl(lane, 0), left = tile.shfl_up(lane, 1), right = tile.shfl_down(lane, 1),
              partner = tile.shfl_xor(lane, 2);
    const unsigned votes = tile.ballot(lane % 2 == 0), equal = tile.match_any(lane / 2);
    tile.match_all(9, alike);
    const bool any = tile.any(lane == 17), all = tile.all(lane < n);
    tile.sync();
    out[lane] = first + left + (lane + 1 < n ? right : 0) + ((lane ^ 2) < n ? partner : 0) +
                100 * static_cast<int>(__popc(votes)) + 1000 * static_cast<int>(__popc(equal)) +
                10000 * (alike != 0) + 20000 * any + 40000 * all;
}
SILENT("a tile of which some lanes have returned") {
    Buffer<int> out(20);
    tiles<<<1, 32>>>(20, out);
    // In the second tile, lanes 16 to 19 remain. all() compares the votes with all 16 lanes of the tile, so
    // it returns false.
    CHECK_EQUAL(out.read()[0], 0 + 0 + 1 + 2 + 800 + 2000 + 50000);
    CHECK_EQUAL(out.read()[16], 16 + 16 + 17 + 18 + 200 + 2000 + 30000);
    CHECK_EQUAL(out.read()[19], 16 + 18 + 0 + 17 + 200 + 2000 + 30000);
}

__global__ void groups(int n, int* out) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = static_cast<int>(threadIdx.x);
    const cg::coalesced_group group = cg::binary_partition(tile, lane % 2 == 0);
    const cg::thread_group half = cg::tiled_partition(cg::this_thread_block(), 16);
    if (lane >= n) return;
    const int first = group.shfl(lane, 0), left = group.shfl_up(lane, 1);
    const unsigned votes = group.ballot(lane > 1);
    group.sync();
    half.sync();
    out[lane] = first + left + 100 * static_cast<int>(__popc(votes)) + 10000 * (group.any(lane == 18) != 0);
}
SILENT("groups of which some lanes have returned") {
    Buffer<int> out(20);
    groups<<<1, 32>>>(20, out);
    CHECK_EQUAL(out.read()[18], 0 + 16 + 900 + 10000);
    CHECK_EQUAL(out.read()[19], 1 + 17 + 900);
}

__global__ void ragged_maximum(const float* in, float* out) {
    const int lane = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    float most = in[lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(all_lanes, most, offset), larger = fmaxf(most, other);
        if (lane + offset < n) most = larger;
    }
    if (lane == 0) *out = most;
}
SILENT("a maximum of 17 values that drops those that no lane has") {
    std::vector<float> values;
    for (int i = 0; i < 17; ++i) values.push_back(static_cast<float>(-5 - i));
    Buffer<float> in(values), out(1);
    ragged_maximum<<<1, 17>>>(in, out);
    CHECK_EQUAL(out.read()[0], -5.0f);
}

__global__ void into_range(const int* in, int* out) {
    const int lane = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    const int other = __shfl_down_sync(all_lanes, lane, 1);
    const int inside = min(max(other, 0), n - 1), again = max(min(other, n - 1), 0);
    const float part = fminf(fmaxf(__int_as_float(other), 0.0f), 1.0f);
    const int value = in[inside] + in[again] + in[static_cast<int>(part)];
    out[lane] = lane + 1 < n ? value : 0;
}
SILENT("an undefined index is limited to the range of the array, and its element dropped") {
    Ints values(17, 3);
    Buffer<int> in(values), out(17);
    into_range<<<1, 17>>>(in, out);
    CHECK_EQUAL(out.read()[0], 9);
    CHECK_EQUAL(out.read()[16], 0);
}

__global__ void numbers_that_look_like_it(const int* in, int* out) {
    const int other = __shfl_xor_sync(all_lanes, in[threadIdx.x], 1);
    const int most = max(in[threadIdx.x], other), least = min(in[threadIdx.x], other);
    const float real = fmaxf(2.0f, __int_as_float(0x7fc00000));
    out[threadIdx.x] = most - least + static_cast<int>(real);
}
SILENT("defined values that have the bits of undefined ones, and a NaN") {
    constexpr int bits = static_cast<int>(0xffc0deadu);
    Buffer<int> in(32, bits), out(32);
    numbers_that_look_like_it<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read(), Ints(32, 2));
}

CHECKS_MAIN("silent_masks")
