// Barriers that some threads do not reach, and warp functions with a wrong mask: one planted mistake each.
#include <cooperative_groups.h>

#include "checks.cuh"

// ---- __syncthreads() ----

__global__ void barrier_in_if(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x < 32) __syncthreads();  // <-
}
PLANTED("a barrier in an if", "barrier", "32 threads") {
    Buffer<int> out(64);
    barrier_in_if<<<1, 64>>>(out);
}

__global__ void barrier_after_return(int* out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = 1;
    __syncthreads();  // <-
}
PLANTED("a barrier after an early return", "barrier", "have returned from the kernel") {
    Buffer<int> out(64);
    barrier_after_return<<<1, 64>>>(out, 40);
}

__global__ void barrier_after_return_of_one(int* out) {
    if (threadIdx.x == 63) return;
    out[threadIdx.x] = 1;
    __syncthreads();  // <-
}
PLANTED("one thread returns before the barrier", "barrier", "1 thread has returned") {
    Buffer<int> out(64);
    barrier_after_return_of_one<<<1, 64>>>(out);
}

__global__ void barrier_in_both(int* out) {
    if (threadIdx.x % 2) {
        out[threadIdx.x] = 1;
        __syncthreads();  // <-
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();  // <-
    }
}
PLANTED("a barrier in each branch", "barrier", "reached another barrier") {
    Buffer<int> out(64);
    barrier_in_both<<<1, 64>>>(out);
}

__global__ void barrier_in_loop(int* out) {
    for (unsigned i = 0; i < 1 + threadIdx.x / 32; ++i) {
        out[threadIdx.x] = static_cast<int>(i);
        __syncthreads();  // <-
    }
}
PLANTED("a barrier in a loop whose count depends on the warp", "barrier", "32 threads") {
    Buffer<int> out(64);
    barrier_in_loop<<<1, 64>>>(out);
}

__global__ void barrier_in_stride_loop(int* out, int n) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += 64) {
        out[i] = 1;
        __syncthreads();  // <-
    }
}
PLANTED("a barrier in a block-stride loop over a ragged length", "barrier", "returned from the kernel") {
    Buffer<int> out(100);
    barrier_in_stride_loop<<<1, 64>>>(out, 100);
}

__global__ void barrier_after_break(const int* in, int* out) {
    for (int i = 0; i < 4; ++i) {
        if (in[threadIdx.x] == i) break;
        __syncthreads();  // <-
        out[threadIdx.x] = i;
    }
}
PLANTED("threads leave the loop at different times", "barrier", "without reaching it") {
    std::vector<int> stops(64, 4);
    stops[5] = 2;
    stops[6] = 3;
    Buffer<int> in(stops), out(64);
    barrier_after_break<<<1, 64>>>(in, out);
}

__device__ void meet_in_function() {
    __syncthreads();  // <-
}
__global__ void barrier_in_function(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x != 0) meet_in_function();
}
PLANTED("the barrier is in a function that one thread does not call", "barrier", "63 threads") {
    Buffer<int> out(64);
    barrier_in_function<<<1, 64>>>(out);
}

__global__ void barrier_in_tree(int* data) {
    __shared__ int partial[64];
    partial[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            partial[threadIdx.x] += partial[threadIdx.x + stride];
            __syncthreads();  // <-
        }
    }
    if (threadIdx.x == 0) data[0] = partial[0];
}
PLANTED("a tree reduction with the barrier inside the guard", "barrier", "`barrier_in_tree`") {
    Buffer<int> data(64, 1);
    barrier_in_tree<<<1, 64>>>(data);
}

__global__ void count_in_if(int* out) {
    if (threadIdx.x < 48) out[threadIdx.x] = __syncthreads_count(1);  // <-
}
PLANTED("__syncthreads_count() in an if", "barrier", "__syncthreads_count()") {
    Buffer<int> out(64);
    count_in_if<<<1, 64>>>(out);
}

__global__ void two_kinds(int* out) {
    if (threadIdx.x < 32) {
        __syncthreads();  // <-
    } else {
        out[threadIdx.x] = __syncthreads_or(1);  // <-
    }
}
PLANTED("two kinds of barrier meet", "barrier", "reached another barrier") {
    Buffer<int> out(64);
    two_kinds<<<1, 64>>>(out);
}

__global__ void barrier_in_second_block(int* out, int n) {
    const int i = static_cast<int>(blockIdx.x * 64 + threadIdx.x);
    if (i >= n) return;
    out[i] = 1;
    __syncthreads();  // <-
}
PLANTED("only the last block is ragged", "barrier", "block (1,0,0)") {
    Buffer<int> out(100);
    barrier_in_second_block<<<2, 64>>>(out, 100);
}

__global__ void block_group_in_if(int* out) {
    if (threadIdx.y == 0) {
        cooperative_groups::this_thread_block().sync();  // <-
        out[threadIdx.x] = 1;
    }
}
PLANTED("this_thread_block().sync() by one row", "barrier", "8 threads") {
    Buffer<int> out(64);
    block_group_in_if<<<1, dim3(8, 8)>>>(out);
}

// ---- warp functions ----

__global__ void shuffle_in_if(int* out) {
    int sum = 1;
    if (threadIdx.x < 20) sum += __shfl_down_sync(0xffffffffu, sum, 1);  // <-
    out[threadIdx.x] = sum;
}
PLANTED("a shuffle in an if with the full mask", "warp", "took from lane 20: this lane has returned") {
    Buffer<int> out(32);
    shuffle_in_if<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[19] == 2, false);
}

__global__ void not_in_own_mask(int* out) {
    __syncwarp(0x0000ffffu);  // <-
    out[threadIdx.x] = 1;
}
PLANTED("lanes that call with a mask that does not name them", "warp", "which does not include lane") {
    Buffer<int> out(32);
    not_in_own_mask<<<1, 32>>>(out);
}

__global__ void vote_without_itself(int* out) {
    out[threadIdx.x] = __any_sync(0xfffffffeu, 1);  // <-
}
PLANTED("a vote whose mask leaves out lane 0", "warp", "this lane calls it") {
    Buffer<int> out(32);
    vote_without_itself<<<1, 32>>>(out);
}

__global__ void lanes_exited(int* out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    int sum = 1;
    sum += __shfl_xor_sync(0xffffffffu, sum, 16);  // <-
    out[threadIdx.x] = sum;
}
PLANTED("lanes read others that have returned", "warp", "this lane has returned from the kernel") {
    Buffer<int> out(32);
    lanes_exited<<<1, 32>>>(out, 20);
    CHECK_EQUAL(out.read()[4] == 2, false);
}

__global__ void masks_differ(int* out) {
    const unsigned mask = threadIdx.x < 8 ? 0xffffffffu : 0xffffff0fu;
    __syncwarp(mask);  // <-
    out[threadIdx.x] = 1;
}
PLANTED("lanes wait for others that have a different mask", "warp", "never reach it") {
    Buffer<int> out(32);
    masks_differ<<<1, 32>>>(out);
}

__global__ void functions_differ(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __any_sync(0xffffffffu, 1);  // <-
    } else {
        out[threadIdx.x] = __all_sync(0xffffffffu, 1);  // <-
    }
}
PLANTED("half of the warp votes any, half all", "deadlock", "never reach it") {
    Buffer<int> out(32);
    functions_differ<<<1, 32>>>(out);
}

__global__ void warp_against_block(int* out) {
    if (threadIdx.x < 16) {
        __syncwarp();  // <-
    } else {
        __syncthreads();  // <-
    }
    out[threadIdx.x] = 1;
}
PLANTED("half of the warp waits for the warp, half for the block", "deadlock", "wait in") {
    Buffer<int> out(32);
    warp_against_block<<<1, 32>>>(out);
}

__global__ void tile_in_if(int* out) {
    const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    int sum = 1;
    if (tile.thread_rank() != 3) sum += tile.shfl_xor(sum, 1);  // <-
    out[threadIdx.x] = sum;
}
PLANTED("a tile's shuffle that one lane skips", "warp", "took from lane 3: this lane has returned") {
    Buffer<int> out(32);
    tile_in_if<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[2] == 2, false);
}

// ---- grids ----

__global__ void grid_sync_by_some(int* out) {
    if (blockIdx.x != 0) cooperative_groups::this_grid().sync();
    out[blockIdx.x] = 1;
}
PLANTED("grid.sync() without block 0", "deadlock", "the other blocks have ended") {
    Buffer<int> out(4);
    int* to = out;
    void* arguments[] = {&to};
    cudaLaunchCooperativeKernel(grid_sync_by_some, dim3(4), dim3(32), arguments);  // <-
}

__global__ void grid_sync_plain_launch(int* out) {
    cooperative_groups::this_grid().sync();  // <-
    out[blockIdx.x] = 1;
}
PLANTED("grid.sync() in an ordinary launch", "deadlock", "cudaLaunchCooperativeKernel") {
    Buffer<int> out(4);
    grid_sync_plain_launch<<<4, 32>>>(out);
}

CHECKS_MAIN("planted_barriers")
