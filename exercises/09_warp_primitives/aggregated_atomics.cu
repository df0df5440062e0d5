// 09_warp_primitives/aggregated_atomics: one atomic per warp and one per key, with a group and with a mask.
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

// v5: each thread that keeps a value gets a place from the counter.
// Mapping : one thread per element.
// Cost    : 1 load per element, 1 atomic on one address per kept value.
// Requires: *count is 0.
// Next    : 32 lanes request one place each; one lane could request 32 places at once, see v6.
// [v5]
__global__ void keep_positive_v5_plain(const int* in, int n, int* out, unsigned int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) out[atomicAdd(count, 1u)] = in[i];
}
// [/v5]

/// Returns a place to each lane that needs one, with one addition to the counter for the whole warp. All lanes of the warp must
/// call it together. For lanes that need no place, the result has no meaning.
// [take_place]
__device__ unsigned int take_place(bool wants, unsigned int* count) {
    unsigned int lane = threadIdx.x % kLanes;
    // TODO(1): Let all lanes vote on whether they need a place. If no lane needs one, there is nothing to add. About 2 lines.
    unsigned int wanting = 0;
    KIT_TODO(1, wants, wanting);

    // TODO(2): Let the lowest lane that needs a place add the number of lanes that need one; __ffs(mask) - 1 is the index of the
    // lowest set bit. Pass the old value of the counter from this lane to all others. A lane's place comes after the places of
    // the lower lanes that need one. About 5 lines.
    KIT_TODO(2, count, lane, wanting);
    return 0;
}
// [/take_place]

// v6: like v5, but the lanes of a warp request their places together.
// Mapping : as v5.
// Cost    : as v5, but 1 atomic, 1 vote and 1 shuffle per warp.
// Requires: *count is 0; whole warps in a block.
// Next    : here all lanes share one counter; what if the lanes of a warp add to different ones? see v8.
// [v6]
__global__ void keep_positive_v6(const int* in, int n, int* out, unsigned int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(3): Take a place and write the value there. Which lanes must call take_place? About 3 lines.
    KIT_TODO(3, in, n, out, count, i, take_place);
}
// [/v6]

// v7: each thread adds its value to the sum of its key.
// Mapping : one thread per element.
// Cost    : 2 loads and 1 atomic per element; atomics with equal keys wait for each other.
// Requires: the sums are 0.
// Next    : lanes with equal keys could add among themselves first; see v8.
// [v7]
__global__ void sum_by_key_v7_plain(const int* keys, const int* values, int n, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[keys[i]], values[i]);
}
// [/v7]

// v8: like v7, but lanes with equal keys form a group, and its first lane adds for all.
// Mapping : as v7; a warp splits into as many groups as it has different keys.
// Cost    : as v7, but 1 atomic per warp and key, and a reduction in each group.
// Requires: the sums are 0; whole warps in a block.
// Next    : groups that take different paths, and the cost of that; see v9.
// [v8]
__global__ void sum_by_key_v8(const int* keys, const int* values, int n, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());
    // TODO(4): Let all lanes form groups by key, with cg::labeled_partition(warp, label). Which label does a lane without an
    // element use? Sum over each group with cg::reduce(group, value, cg::plus<int>()). Its first lane adds. About 5 lines.
    KIT_TODO(4, keys, values, n, sums, i, warp);
}
// [/v8]

// Like v8, but it counts the keys, so a mask of the lanes with an equal key is enough.
// Mapping : as v8.
// Cost    : 1 load per element, and 1 atomic per warp and key.
// Requires: the counts are 0; whole warps in a block.
// [match]
__global__ void count_by_key_match(const int* keys, int n, unsigned int* counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % kLanes;
    // TODO(5): Let __match_any_sync find the lanes with the same key. One of them adds for all. About 4 lines.
    KIT_TODO(5, keys, n, counts, i, lane);
}
// [/match]

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

void count_by_key(const int* keys, int n, unsigned int* counts, int key_count) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, static_cast<std::size_t>(key_count) * sizeof(unsigned int)));
    if (n == 0) return;
    count_by_key_match<<<kit::ceil_div(n, kBlock), kBlock>>>(keys, n, counts);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warp_primitives
