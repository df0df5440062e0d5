// Mistakes with masks of warp functions: values of lanes that have returned or do not exist, and lanes that
// are at a different place.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "checks.cuh"

namespace cg = cooperative_groups;

constexpr unsigned all_lanes = 0xffffffffu;

// ---- values of lanes that have returned ----

__global__ void shuffled_down(int* out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    int sum = 1;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(all_lanes, sum, offset);  // <-
    if (threadIdx.x == 0) *out = sum;
}
PLANTED("a sum over lanes that have returned", "warp", "this lane has returned from the kernel") {
    Buffer<int> out(1);
    shuffled_down<<<1, 32>>>(out, 20);
    CHECK_EQUAL(out.read()[0] == 20, false);
}

__global__ void shuffled_up(int* out) {
    if (threadIdx.x < 4) return;
    const int left = __shfl_up_sync(all_lanes, 1, 1);  // <-
    out[threadIdx.x] = left;
}
PLANTED("the left neighbour has returned", "warp", "took from lane 3: this lane has returned") {
    Buffer<int> out(32);
    shuffled_up<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[4] == 1, false);
}

__global__ void shuffled_from_one(float* out) {
    if (threadIdx.x % 2 == 0) return;
    out[threadIdx.x] = __shfl_sync(all_lanes, 2.0f, 0);  // <-
}
PLANTED("lane 0 returns and should give its value to all", "warp",
        "took from lane 0: this lane has returned") {
    Buffer<float> out(32);
    shuffled_from_one<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[1] == 2.0f, false);
}

__global__ void leaves_the_loop(const int* in, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    for (int i = lane; i < 40; i += 32) sum += __shfl_xor_sync(all_lanes, in[i], 8);  // <-
    out[lane] = sum;
}
PLANTED("lanes leave the loop, and others read them", "warp", "this lane has returned from the kernel") {
    Buffer<int> in(40, 1), out(32);
    leaves_the_loop<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[0] == 2, false);
}

__global__ void tile_down(double* out, int n) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = tile.shfl_down(1.0, 1);  // <-
}
PLANTED("a tile reads a lane that has returned", "warp", "took from lane 20: this lane has returned") {
    Buffer<double> out(32);
    tile_down<<<1, 32>>>(out, 20);
    CHECK_EQUAL(out.read()[19] == 1.0, false);
}

__global__ void group_of_some(int* out) {
    const auto group =
        cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x < 16);
    if (group.thread_rank() == 0) return;
    out[threadIdx.x] = group.shfl(5, 0);  // <-
}
PLANTED("the first of a group has returned", "warp", "this lane has returned from the kernel") {
    Buffer<int> out(32);
    group_of_some<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[1] == 5, false);
}

// ---- values of lanes that do not exist, through min and max ----

__global__ void largest(float* out, const float* in) {
    float most = in[threadIdx.x];
    for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_down_sync(all_lanes, most, d));  // <-
    if (threadIdx.x == 0) *out = most;
}
PLANTED("a maximum of 17 floats", "warp", "this lane does not exist, because the warp has only 17 threads") {
    Buffer<float> in(17, -5.0f), out(1);
    largest<<<1, 17>>>(out, in);
    CHECK_EQUAL(out.read()[0] == -5.0f, false);
}

__global__ void smallest(double* out, const double* in) {
    double least = in[threadIdx.x];
    for (int d = 16; d; d /= 2) least = min(least, __shfl_xor_sync(all_lanes, least, d));  // <-
    if (threadIdx.x == 0) *out = least;
}
PLANTED("a minimum of 17 doubles", "warp", "this lane does not exist") {
    Buffer<double> in(17, 5.0), out(1);
    smallest<<<1, 17>>>(out, in);
    CHECK_EQUAL(out.read()[0] == 5.0, false);
}

__global__ void largest_integer(int* out, const int* in) {
    int most = in[threadIdx.x];
    for (int d = 16; d; d /= 2) most = max(most, __shfl_down_sync(all_lanes, most, d));  // <-
    if (threadIdx.x == 0) *out = most;
}
PLANTED("a maximum of 17 integers", "warp", "this lane does not exist") {
    Buffer<int> in(17, 5), out(1);
    largest_integer<<<1, 17>>>(out, in);
    CHECK_EQUAL(out.read()[0] == 5, false);
}

__global__ void smallest_integer(long long* out, const long long* in) {
    long long least = in[threadIdx.x];
    for (int d = 16; d; d /= 2) least = min(least, __shfl_down_sync(all_lanes, least, d));  // <-
    if (threadIdx.x == 0) *out = least;
}
PLANTED("a minimum of 17 long integers", "warp", "this lane does not exist") {
    Buffer<long long> in(17, 5), out(1);
    smallest_integer<<<1, 17>>>(out, in);
    CHECK_EQUAL(out.read()[0] == 5, false);
}

__global__ void largest_by_atomic(int* most) {
    const int other = __shfl_down_sync(all_lanes, 1, 8);  // <-
    if (threadIdx.x == 15) atomicMax(most, other);
}
PLANTED("an atomic maximum with a value that no lane has", "warp", "this lane does not exist") {
    Buffer<int> most(1, 7);
    largest_by_atomic<<<1, 16>>>(most);
    CHECK_EQUAL(most.read()[0] == 7, false);
}

__global__ void softmax(float* out, const float* in) {
    const float mine = in[threadIdx.x];
    float most = mine;
    for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(all_lanes, most, d));  // <-
    out[threadIdx.x] = expf(mine - most);
}
PLANTED("a value is computed from the maximum", "warp", "this lane does not exist") {
    Buffer<float> in(32, -5.0f), out(32);
    softmax<<<1, 17>>>(out, in);
    CHECK_EQUAL(out.read()[0] == 1.0f, false);
}

// ---- collective functions of groups need all lanes ----

__global__ void reduce_after_return(int* out, int n) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (static_cast<int>(threadIdx.x) >= n) return;
    const int sum = cg::reduce(tile, 1, cg::plus<int>());  // <-
    if (threadIdx.x == 0) *out = sum;
}
PLANTED("reduce() of a tile after a return", "warp", "12 threads have returned from the kernel") {
    Buffer<int> out(1);
    reduce_after_return<<<1, 32>>>(out, 20);
}

__global__ void scan_after_return(int* out, int n) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = cg::inclusive_scan(tile, 1);  // <-
}
PLANTED("inclusive_scan() of a tile after a return", "warp", "have returned from the kernel") {
    Buffer<int> out(32);
    scan_after_return<<<1, 32>>>(out, 20);
}

__global__ void partition_after_return(int* out, int n) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = static_cast<int>(cg::labeled_partition(tile, threadIdx.x % 2).size());  // <-
}
PLANTED("labeled_partition() of a tile after a return", "warp", "have returned from the kernel") {
    Buffer<int> out(32);
    partition_after_return<<<1, 32>>>(out, 20);
}

__global__ void wide_tile_after_return(int* out) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    if (threadIdx.x == 70) return;
    tile.sync();  // <-
    out[threadIdx.x] = 1;
}
PLANTED("a thread of a tile of two warps has returned", "deadlock", "1 of 64 arrivals is missing") {
    Buffer<int> out(128);
    wide_tile_after_return<<<1, 128>>>(out);
}

// ---- lanes at a different place ----

__global__ void sync_elsewhere(int* out) {
    if (threadIdx.x < 16)
        __syncwarp();  // <-
    else
        __syncthreads();  // <-
    out[threadIdx.x] = 1;
}
PLANTED("__syncwarp() without half of the warp", "deadlock", "__syncwarp()") {
    Buffer<int> out(32);
    sync_elsewhere<<<1, 32>>>(out);
}

__global__ void ballot_elsewhere(unsigned* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __ballot_sync(all_lanes, 1);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__ballot_sync() without half of the warp", "deadlock", "__ballot_sync()") {
    Buffer<unsigned> out(32);
    ballot_elsewhere<<<1, 32>>>(out);
}

__global__ void any_elsewhere(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __any_sync(all_lanes, 1);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__any_sync() without half of the warp", "deadlock", "__any_sync()") {
    Buffer<int> out(32);
    any_elsewhere<<<1, 32>>>(out);
}

__global__ void all_elsewhere(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __all_sync(all_lanes, 1);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__all_sync() without half of the warp", "deadlock", "__all_sync()") {
    Buffer<int> out(32);
    all_elsewhere<<<1, 32>>>(out);
}

__global__ void match_elsewhere(unsigned* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __match_any_sync(all_lanes, 1);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__match_any_sync() without half of the warp", "deadlock", "__match_any_sync()") {
    Buffer<unsigned> out(32);
    match_elsewhere<<<1, 32>>>(out);
}

__global__ void match_all_elsewhere(unsigned* out) {
    int alike;
    if (threadIdx.x < 16)
        out[threadIdx.x] = __match_all_sync(all_lanes, 1, &alike);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__match_all_sync() without half of the warp", "deadlock", "__match_all_sync()") {
    Buffer<unsigned> out(32);
    match_all_elsewhere<<<1, 32>>>(out);
}

__global__ void reduce_elsewhere(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __reduce_add_sync(all_lanes, 1);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__reduce_add_sync() without half of the warp", "deadlock", "__reduce_add_sync()") {
    Buffer<int> out(32);
    reduce_elsewhere<<<1, 32>>>(out);
}

__global__ void shuffle_elsewhere(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(all_lanes, 1, 0);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("__shfl_sync() without half of the warp", "deadlock", "__shfl_sync()") {
    Buffer<int> out(32);
    shuffle_elsewhere<<<1, 32>>>(out);
}

__global__ void two_shuffles(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_up_sync(all_lanes, 1, 1);  // <-
    else
        out[threadIdx.x] = __shfl_down_sync(all_lanes, 1, 1);  // <-
}
PLANTED("half of the warp shuffles up, half down", "deadlock", "__shfl_down_sync()") {
    Buffer<int> out(32);
    two_shuffles<<<1, 32>>>(out);
}

__global__ void left_the_loop(int* out) {
    int sum = 0;
    for (unsigned i = threadIdx.x; i < 40; i += 32) sum += __any_sync(all_lanes, 1);  // <-
    out[threadIdx.x] = sum + __all_sync(all_lanes, 1);                                // <-
}
PLANTED("lanes leave the loop and go on to the next vote", "deadlock", "__any_sync()") {
    Buffer<int> out(32);
    left_the_loop<<<1, 32>>>(out);
}

__global__ void some_return_others_wait(int* out) {
    if (threadIdx.x >= 24) return;
    if (threadIdx.x < 16)
        out[threadIdx.x] = __any_sync(all_lanes, 1);  // <-
    else
        __syncwarp();  // <-
}
PLANTED("of the named lanes, some have returned and some are elsewhere", "deadlock",
        "but the lanes 0x00ff0000 never reach it") {
    Buffer<int> out(32);
    some_return_others_wait<<<1, 32>>>(out);
}

__global__ void masks_of_two_kinds(int* out) {
    if (threadIdx.x >= 24) return;
    out[threadIdx.x] = static_cast<int>(__ballot_sync(threadIdx.x < 8 ? all_lanes : 0x00ffffffu, 1));  // <-
}
PLANTED("two masks that differ only in lanes that have returned", "warp", "never reach it") {
    Buffer<int> out(32);
    masks_of_two_kinds<<<1, 32>>>(out);
}

__global__ void tile_elsewhere(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (tile.thread_rank() < 8)
        out[threadIdx.x] = tile.any(1);  // <-
    else
        tile.sync();  // <-
}
PLANTED("a vote and a barrier of one tile", "deadlock", "any() of a group") {
    Buffer<int> out(16);
    tile_elsewhere<<<1, 16>>>(out);
}

__global__ void group_elsewhere(int* out) {
    const auto group =
        cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x < 16);
    if (group.thread_rank() != 3)
        out[threadIdx.x] = group.shfl(1, 0);  // <-
    else
        __syncthreads();  // <-
}
PLANTED("a shuffle of a group without one of its lanes", "deadlock", "shfl() of a group") {
    Buffer<int> out(32);
    group_elsewhere<<<1, 32>>>(out);
}

__global__ void not_among_them(int* out) {
    if (threadIdx.x >= 16) return;
    out[threadIdx.x] = __any_sync(0xffff00ffu, 1);  // <-
}
PLANTED("a mask of lanes that have returned instead of the lanes that call", "warp",
        "which does not include lane") {
    Buffer<int> out(32);
    not_among_them<<<1, 32>>>(out);
}

CHECKS_MAIN("planted_masks")
