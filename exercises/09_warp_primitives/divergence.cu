// 09_warp_primitives/divergence: a prediction, and two kernels whose warps do not diverge.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests divergence.cu
//        ../../tests/09_warp_primitives/divergence_test.cu -o divergence
// Run:   ./divergence
//
//   v9   by_position_v9_slow: given, even lanes climb and odd lanes fall
//   v10  by_position_v10: like v9, but even warps climb and odd warps fall
//   v11  by_value_v11_slow: given, in each warp some lanes climb and the others wait for them
//   v12  by_value_v12: like v11, but a warp first gathers the elements that must climb

#include <algorithm>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "kit.cuh"

namespace warp_primitives {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int kWarps = kBlock / kLanes;

// Task 1: predict the work on paper before you change a kernel.
// [warp_work]
WarpWork warp_work(const ThreadWork* threads, int n) {
    WarpWork work = {0, 0};
    // TODO(1): Add up the work of all warps. A warp runs the loop of each kind that at least one of its lanes has. It makes as
    // many trips as the lane that needs the most, while the lanes of the other kind wait. About 8 lines.
    KIT_TODO(1, threads, n, work);
    return work;
}
// [/warp_work]

// v9: thread i has element i.
// Mapping : one thread per element.
// Cost    : each warp issues both loops, with 16 of 32 lanes active in each.
// Requires: nothing; n can be any size.
// Next    : give each warp elements of only one kind; see v10.
// [v9]
__global__ void by_position_v9_slow(const std::uint32_t* in, int n, const std::uint32_t* table,
                                    std::uint32_t* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i % 2 == 0 ? climb(table, in[i]) : fall(table, in[i]);
}
// [/v9]

/// Returns the element of thread t. Two neighbouring warps share 64 neighbouring elements: the first warp has the even ones, in
/// order, and the second has the odd ones.
// [element_of]
__device__ int element_of(int t) {
    // TODO(2): Compute the element from the number of the warp and the lane. About 3 lines.
    KIT_TODO(2, t);
    return t;
}
// [/element_of]

// v10: like v9, but even warps have even elements.
// Mapping : one thread per element; see element_of.
// Cost    : each warp issues one loop with all lanes; its values are 8 bytes apart, so a request takes twice the sectors.
// Requires: an even number of warps in a block.
// Next    : if the kind depends on the value, no formula can predict it; see v12.
// [v10]
__global__ void by_position_v10(const std::uint32_t* in, int n, const std::uint32_t* table,
                                std::uint32_t* out) {
    static_assert(kWarps % 2 == 0, "two warps share 64 elements");
    int i = element_of(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    out[i] = i % 2 == 0 ? climb(table, in[i]) : fall(table, in[i]);
}
// [/v10]

// v11: thread i has element i.
// Mapping : one thread per element.
// Cost    : nearly every warp issues the climb, with 8 of 32 lanes active on average.
// Requires: nothing; n can be any size.
// Next    : gather the elements that must climb; see v12.
// [v11]
__global__ void by_value_v11_slow(const std::uint32_t* in, int n, const std::uint32_t* table,
                                  std::uint32_t* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = is_long(in[i]) ? climb(table, in[i]) : in[i];
}
// [/v11]

// v12: like v11, but each warp first puts the elements that must climb into a queue, then climbs for 32 of them at a time.
// Mapping : one warp per stretch of kStretch neighbours, in two phases.
// Cost    : 1 vote per 32 elements; all lanes are active in every climb except the last of a warp. 16 KB of shared memory.
// Requires: whole warps in a block.
// Next    : here, lanes pass values through shared memory; passing values between blocks needs more, see lecture 10.
// [v12]
__global__ void by_value_v12(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out) {
    __shared__ int queues[kWarps][kStretch];
    int lane = threadIdx.x % kLanes;
    int* queue = queues[threadIdx.x / kLanes];
    int begin = (blockIdx.x * kWarps + threadIdx.x / kLanes) * kStretch;
    int waiting = 0;  // number of elements in the queue; the same in all lanes

    for (int first = begin; first < begin + kStretch; first += kLanes) {
        int i = first + lane;
        std::uint32_t x = i < n ? in[i] : 0;
        bool climbs = i < n && is_long(x);
        // TODO(3): Write the element to `out` if it needs no climb. Otherwise append its index to the queue. Every lane must find its own
        // place there, and all lanes must agree on `waiting`. About 4 lines.
        KIT_TODO(3, out, queue, waiting, x, climbs);
    }

    // TODO(4): Climb for all elements in the queue, 32 at a time. Which lanes wrote the entries that a lane reads here, and what
    // makes sure that those writes have happened? About 5 lines.
    KIT_TODO(4, in, table, out, lane, queue, waiting);
}
// [/v12]

void by_position_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out) {
    if (n == 0) return;
    by_position_v9_slow<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, table, out);
    CUDA_CHECK_LAUNCH();
}

void by_position(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out) {
    if (n == 0) return;
    by_position_v10<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, table, out);
    CUDA_CHECK_LAUNCH();
}

void by_value_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out) {
    if (n == 0) return;
    by_value_v11_slow<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, table, out);
    CUDA_CHECK_LAUNCH();
}

void by_value(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out) {
    if (n == 0) return;
    by_value_v12<<<kit::ceil_div(n, kWarps * kStretch), kBlock>>>(in, n, table, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warp_primitives
