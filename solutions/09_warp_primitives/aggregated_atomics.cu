// 09_warp_primitives/aggregated_atomics: the lanes of a warp agree first, and one of them adds for all.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests aggregated_atomics.cu
//        ../../tests/09_warp_primitives/aggregated_atomics_test.cu -o aggregated_atomics
// Run:   ./aggregated_atomics
//
//   v5  keep_positive_v5_plain: given, one atomic per kept value
//   v6  keep_positive_v6: like v5, but one atomic per warp
//   v7  sum_by_key_v7_plain: given, one atomic per value
//   v8  sum_by_key_v8: like v7, but one atomic per warp and key

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "kit.cuh"

namespace warp_primitives {

namespace cg = cooperative_groups;

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;

// v5: whoever keeps a value asks the counter for a place.
// Mapping : one thread per element.
// Cost    : 1 load per element, 1 atomic on one address per kept value.
// Requires: *count is 0.
// Next    : 32 lanes ask for one place each; they could ask once for 32, see v6.
// [v5]
__global__ void keep_positive_v5_plain(const int* in, int n, int* out, unsigned int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) out[atomicAdd(count, 1u)] = in[i];
}
// [/v5]

/// A place for each lane that wants one, by one addition to the counter for the whole warp. All lanes of the warp call it
/// together; what those get that want none is of no use.
// [take_place]
__device__ unsigned int take_place(bool wants, unsigned int* count) {
    unsigned int lane = threadIdx.x % kLanes;
    // TODO(1): All lanes vote on who wants a place. If nobody does, there is nothing to add. About 2 lines.
    // BEGIN SOLUTION 1
    unsigned int wanting = __ballot_sync(all_lanes, wants);
    if (wanting == 0) return 0;
    // STARTER unsigned int wanting = 0;
    // STARTER KIT_TODO(1, wants, wanting);
    // END SOLUTION 1

    // TODO(2): One lane of those who want, the lowest, adds as many as there are: __ffs(mask) - 1 is the number of the lowest
    // set bit. All others learn from it what the counter was. A lane's place is behind those of the lanes below that want one,
    // too. About 5 lines.
    // BEGIN SOLUTION 2
    unsigned int leader = __ffs(wanting) - 1;
    unsigned int base = 0;
    if (lane == leader) base = atomicAdd(count, static_cast<unsigned int>(__popc(wanting)));
    base = __shfl_sync(all_lanes, base, leader);
    return base + __popc(wanting & ((1u << lane) - 1));
    // STARTER KIT_TODO(2, count, lane, wanting);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/take_place]

// v6: like v5, but the lanes ask together.
// Mapping : as v5.
// Cost    : as v5, but 1 atomic, 1 vote and 1 shuffle per warp.
// Requires: *count is 0; whole warps in a block.
// Next    : one counter is easy; what if each lane has one of its own? see v8.
// [v6]
__global__ void keep_positive_v6(const int* in, int n, int* out, unsigned int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(3): Take a place and write the value there. Who must call take_place? About 3 lines.
    // BEGIN SOLUTION 3
    int value = i < n ? in[i] : 0;
    unsigned int place = take_place(value > 0, count);
    if (value > 0) out[place] = value;
    // STARTER KIT_TODO(3, in, n, out, count, i, take_place);
    // END SOLUTION 3
}
// [/v6]

// v7: each value goes to the sum of its key.
// Mapping : one thread per element.
// Cost    : 2 loads and 1 atomic per element; equal keys wait for each other.
// Requires: the sums are 0.
// Next    : lanes with equal keys could add among themselves first; see v8.
// [v7]
__global__ void sum_by_key_v7_plain(const int* keys, const int* values, int n, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[keys[i]], values[i]);
}
// [/v7]

// v8: like v7, but lanes with equal keys form a group, and its first lane adds for all.
// Mapping : as v7; a warp falls apart into as many groups as it has different keys.
// Cost    : as v7, but 1 atomic per warp and key, and a reduction in each group.
// Requires: the sums are 0; whole warps in a block.
// Next    : what groups cost that go different ways; see v9.
// [v8]
__global__ void sum_by_key_v8(const int* keys, const int* values, int n, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());
    // TODO(4): All lanes form groups by key: cg::labeled_partition(warp, label). What is the label of a lane without an element?
    // cg::reduce(group, value, cg::plus<int>()) sums over the group; its first lane adds the sum. About 6 lines.
    // BEGIN SOLUTION 4
    int key = i < n ? keys[i] : -1;
    int value = i < n ? values[i] : 0;
    auto group = cg::labeled_partition(warp, key);
    int sum = cg::reduce(group, value, cg::plus<int>());
    if (group.thread_rank() == 0 && key >= 0) atomicAdd(&sums[key], sum);
    // STARTER KIT_TODO(4, keys, values, n, sums, i, warp);
    // END SOLUTION 4
}
// [/v8]

void keep_positive_plain(const int* in, int n, int* out, unsigned int* count) {
    CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof(unsigned int)));
    if (n == 0) return;
    keep_positive_v5_plain<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out, count);
    CUDA_CHECK_LAUNCH();
}

void keep_positive(const int* in, int n, int* out, unsigned int* count) {
    CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof(unsigned int)));
    if (n == 0) return;
    keep_positive_v6<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out, count);
    CUDA_CHECK_LAUNCH();
}

void sum_by_key_plain(const int* keys, const int* values, int n, int* sums, int key_count) {
    CUDA_CHECK(cudaMemsetAsync(sums, 0, static_cast<std::size_t>(key_count) * sizeof(int)));
    if (n == 0) return;
    sum_by_key_v7_plain<<<kit::ceil_div(n, kBlock), kBlock>>>(keys, values, n, sums);
    CUDA_CHECK_LAUNCH();
}

void sum_by_key(const int* keys, const int* values, int n, int* sums, int key_count) {
    CUDA_CHECK(cudaMemsetAsync(sums, 0, static_cast<std::size_t>(key_count) * sizeof(int)));
    if (n == 0) return;
    sum_by_key_v8<<<kit::ceil_div(n, kBlock), kBlock>>>(keys, values, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warp_primitives
