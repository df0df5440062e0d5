// Near misses at barriers: conditions that are the same for all threads, correct masks, lanes that return in
// time.
#include <cooperative_groups.h>

#include "checks.cuh"

using Ints = std::vector<int>;
namespace cg = cooperative_groups;

__global__ void uniform_if(int* out, int n) {
    out[threadIdx.x] = 1;
    if (n > 10) __syncthreads();
    out[threadIdx.x] += n;
}
SILENT("a barrier in an if that all threads take") {
    Buffer<int> out(64);
    uniform_if<<<1, 64>>>(out, 20);
    CHECK_EQUAL(out.read()[63], 21);
}

__global__ void if_by_block(int* out) {
    __shared__ int value;
    if (blockIdx.x % 2) {
        if (threadIdx.x == 0) value = 1;
        __syncthreads();
        out[blockIdx.x * 64 + threadIdx.x] = value;
    }
}
SILENT("only every second block has a barrier") {
    Buffer<int> out(256);
    if_by_block<<<4, 64>>>(out);
    CHECK_EQUAL(out.read()[64], 1);
}

__global__ void block_returns(int* out, int blocks) {
    if (static_cast<int>(blockIdx.x) >= blocks) return;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}
SILENT("whole blocks return before the barrier") {
    Buffer<int> out(128);
    block_returns<<<4, 64>>>(out, 2);
    CHECK_EQUAL(out.read()[127], 1);
}

__global__ void return_after_barrier(int* out, int n) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
SILENT("threads return after the last barrier") {
    Buffer<int> out(40);
    return_after_barrier<<<1, 64>>>(out, 40);
    CHECK_EQUAL(out.read()[39], 1);
}

__global__ void rounded_loop(int* out, int n) {
    __shared__ int tile[64];
    for (int base = 0; base < n; base += 64) {
        const int i = base + static_cast<int>(threadIdx.x);
        tile[threadIdx.x] = i;
        __syncthreads();
        if (base + 63 - static_cast<int>(threadIdx.x) < n)
            out[base + 63 - static_cast<int>(threadIdx.x)] = tile[63 - threadIdx.x];
        __syncthreads();
    }
}
SILENT("a barrier in a loop whose count all threads share") {
    Buffer<int> out(100);
    rounded_loop<<<1, 64>>>(out, 100);
    CHECK_EQUAL(out.read()[99], 99);
}

__global__ void vote_decides(const int* in, int* out) {
    int rounds = 0;
    while (__syncthreads_or(rounds < in[threadIdx.x])) ++rounds;
    out[threadIdx.x] = rounds;
}
SILENT("all threads go on until all are done") {
    Ints rounds(64, 1);
    rounds[40] = 5;
    Buffer<int> in(rounds), out(64);
    vote_decides<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), Ints(64, 5));
}

__device__ void meet() {
    __syncthreads();
}
__global__ void one_function_two_calls(int* out) {
    __shared__ int value;
    if (threadIdx.x == 5) value = 1;
    meet();
    out[threadIdx.x] = value;
    meet();
    if (threadIdx.x == 6) value = 2;
    meet();
    out[threadIdx.x] += value;
}
SILENT("a function with a barrier is called three times") {
    Buffer<int> out(64);
    one_function_two_calls<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 3);
}

__global__ void ragged_block(int* out) {
    __shared__ int tile[50];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[49 - threadIdx.x];
}
SILENT("a block whose last warp is ragged") {
    Buffer<int> out(50);
    ragged_block<<<1, 50>>>(out);
    CHECK_EQUAL(out.read()[0], 49);
}

// ---- warp functions ----

__global__ void half_with_half_mask(int* out) {
    int sum = 1;
    if (threadIdx.x < 16)
        for (int lanes = 8; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0x0000ffffu, sum, lanes);
    out[threadIdx.x] = sum;
}
SILENT("half of a warp with its own mask") {
    Buffer<int> out(32);
    half_with_half_mask<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[0], 16);
}

__global__ void ballot_makes_mask(const int* in, int* out) {
    const bool takes_part = in[threadIdx.x] > 0;
    const unsigned mask = __ballot_sync(0xffffffffu, takes_part);
    if (takes_part) out[threadIdx.x] = __popc(mask) + __shfl_sync(mask, 1, __ffs(static_cast<int>(mask)) - 1);
}
SILENT("the mask of a ballot") {
    Ints part(32, 0);
    for (int i = 3; i < 32; i += 5) part[i] = 1;
    Buffer<int> in(part), out(32);
    ballot_makes_mask<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[3], 7);
}

__global__ void whole_warps_return(int* out) {
    if (threadIdx.x >= 32) return;
    int sum = 1;
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    out[threadIdx.x] = sum;
}
SILENT("whole warps return, the first one shuffles on") {
    Buffer<int> out(32);
    whole_warps_return<<<1, 128>>>(out);
    CHECK_EQUAL(out.read()[31], 32);
}

__global__ void different_trips(int* out) {
    int sum = 0;
    for (unsigned k = 0; k <= threadIdx.x / 32; ++k) {
        sum += __any_sync(0xffffffffu, 1);
        __syncwarp();
    }
    out[threadIdx.x] = sum;
}
SILENT("each warp has a trip count of its own") {
    Buffer<int> out(128);
    different_trips<<<1, 128>>>(out);
    CHECK_EQUAL(out.read()[127], 4);
}

__global__ void branches_meet_later(int* out) {
    int value = 0;
    if (threadIdx.x % 2) {
        value = 1;
        __syncwarp(0xaaaaaaaau);
    } else {
        __syncwarp(0x55555555u);
        value = 2;
    }
    __syncwarp();
    out[threadIdx.x] = value + __shfl_xor_sync(0xffffffffu, value, 1);
}
SILENT("two branches with masks of their own, then all meet") {
    Buffer<int> out(32);
    branches_meet_later<<<1, 32>>>(out);
    CHECK_EQUAL(out.read(), Ints(32, 3));
}

__global__ void small_tiles(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = 1;
    if (tile.meta_group_rank() % 2 == 0)
        for (unsigned lanes = 4; lanes > 0; lanes /= 2) sum += tile.shfl_down(sum, lanes);
    out[threadIdx.x] = sum;
}
SILENT("every second tile of eight shuffles") {
    Buffer<int> out(64);
    small_tiles<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 8);
}

__global__ void tile_orders_memory(int* out) {
    __shared__ int cells[64];
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);
    tile.sync();
    out[threadIdx.x] = cells[threadIdx.x ^ 15u];
}
SILENT("tile.sync() orders the memory of its lanes") {
    Buffer<int> out(64);
    tile_orders_memory<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[16], 31);
}

__global__ void aggregated(const int* in, int* count) {
    if (in[threadIdx.x] > 0) {
        const auto group = cg::coalesced_threads();
        if (group.thread_rank() == 0) atomicAdd(count, static_cast<int>(group.size()));
    }
}
SILENT("one atomic for the lanes that run together") {
    Buffer<int> in(64, 1), count(1);
    aggregated<<<1, 64>>>(in, count);
    CHECK_EQUAL(count.read(), Ints{64});
}

__global__ void block_group(int* out) {
    __shared__ int value;
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 9) value = 4;
    block.sync();
    out[block.thread_rank()] = value;
}
SILENT("this_thread_block().sync() of a block of 8 by 8") {
    Buffer<int> out(64);
    block_group<<<1, dim3(8, 8)>>>(out);
    CHECK_EQUAL(out.read()[63], 4);
}

CHECKS_MAIN("silent_barriers")
