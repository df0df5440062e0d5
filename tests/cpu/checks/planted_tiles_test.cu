// Tiles of several warps, numbered barriers and atomics of inline PTX: one planted mistake each.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "checks.cuh"

namespace cg = cooperative_groups;

__global__ void beyond_the_tile(int* out) {
    __shared__ int values[128];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    values[threadIdx.x] = 1;  // <-
    tile.sync();
    out[threadIdx.x] = values[threadIdx.x ^ 64];  // <-
}
PLANTED("a tile's barrier does not order the other tile", "race", "no barrier") {
    Buffer<int> out(128);
    beyond_the_tile<<<1, 128>>>(out);
}

__global__ void one_stays_away(int* out) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    if (threadIdx.x != 3) tile.sync();  // <-
    out[threadIdx.x] = 1;
}
PLANTED("a thread does not come to the barrier of its tile", "deadlock", "1 of 64 arrivals is missing") {
    Buffer<int> out(128);
    one_stays_away<<<1, 128>>>(out);
}

__global__ void two_calls(int* out) {
    const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    if (threadIdx.x < 64)
        tile.sync();  // <-
    else
        out[threadIdx.x] = cg::reduce(tile, 1, cg::plus<int>());  // <-
}
PLANTED("half of a tile waits, the other half reduces", "deadlock", "reduce() of a group") {
    Buffer<int> out(128);
    two_calls<<<1, 128>>>(out);
}

__global__ void wrong_number(int* out) {
    __shared__ int tile[128];
    tile[threadIdx.x] = 1;  // <-
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = tile[127 - threadIdx.x];  // <-
}
PLANTED("barriers with two numbers do not order each other's threads", "race", "no barrier") {
    Buffer<int> out(128);
    wrong_number<<<1, 128>>>(out);
}

__global__ void wrong_count(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // <-
}
PLANTED("a numbered barrier that expects more threads than come", "deadlock",
        "32 of 64 arrivals are missing") {
    Buffer<int> out(64);
    wrong_count<<<1, 64>>>(out);
}

__global__ void relaxed_flag(int* data, unsigned* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;  // <-
        asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        unsigned ready = 0;
        while (!ready)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
        *out = *data;  // <-
    }
}
PLANTED("a flag that is stored without release in PTX", "race", "release") {
    Buffer<int> data(1), out(1);
    Buffer<unsigned> flag(std::vector<unsigned>(1, 0u));
    relaxed_flag<<<2, 1>>>(data, flag, out);
}

CHECKS_MAIN("planted_tiles")
