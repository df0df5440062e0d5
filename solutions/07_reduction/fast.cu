// 07_reduction/fast: a sum as fast as the memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests fast.cu
//        ../../tests/07_reduction/fast_test.cu -o fast
// Run:   ./fast
//
//   v8  fast_v8: like v7, but 16-byte loads, four in flight per thread; one warp finishes the sum alone

#include <algorithm>
#include <cstdint>

#include "07_reduction/07_reduction.hpp"
#include "07_reduction/sum_of_warp.hpp"
#include "kit.cuh"

namespace reduction {

__device__ float4 operator+(float4 a, float4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kLoads = 4;                    // 16-byte loads that a thread has in flight
constexpr int kVectors = kThreads * kLoads;  // float4 per block and round
constexpr int kBlocksPerMultiprocessor = 3;  // enough loads in flight, and few sums for the last block
constexpr unsigned int all_lanes = 0xffffffffu;

/// Sums this thread's share of `vectors` vectors. All loads of a round are issued before the first is used.
// [loads]
__device__ float sum_of_vectors(const float4* in, std::size_t vectors) {
    float4 sum = {0, 0, 0, 0};
    // TODO(2): Work in rounds of kVectors vectors per block, gridDim.x * kVectors apart. In each round, load kLoads
    // vectors, kThreads apart, into an array of registers (#pragma unroll). Then add them up. In an incomplete
    // last round, a load past `vectors` is a vector of zeros. About 18 lines.
    // BEGIN SOLUTION 2
    std::size_t base = std::size_t{blockIdx.x} * kVectors;
    for (; base + kVectors <= vectors; base += std::size_t{gridDim.x} * kVectors) {
        float4 loaded[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) loaded[k] = in[base + k * kThreads + threadIdx.x];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sum = sum + loaded[k];
    }
    if (base < vectors) {  // in one block of the grid: predicated loads are also in flight together
        float4 loaded[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            std::size_t i = base + k * kThreads + threadIdx.x;
            loaded[k] = i < vectors ? in[i] : float4{0, 0, 0, 0};
        }
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sum = sum + loaded[k];
    }
    // STARTER KIT_TODO(2, in, vectors);
    // END SOLUTION 2
    return (sum.x + sum.y) + (sum.z + sum.w);
}
// [/loads]

}  // namespace

// v8: like v7, but each thread keeps 4 x 16 bytes in flight, and after the block's sum only one warp continues.
// Mapping : blocks take rounds of 2048 float4, grid-stride; block 0 also adds the elements that fill no aligned float4.
// Cost    : 1 global read per element, a quarter of the load instructions; 1 barrier per block.
// Requires: *ticket is 0 when the kernel starts; `in` is aligned to 4 bytes.
// Next    : nothing: the memory is the limit. A faster sum reads fewer bytes.
// [kernel]
__global__ void __launch_bounds__(kThreads)
    fast_v8(const float* in, std::size_t n, float* out, Workspace workspace) {
    __shared__ float warp_sums[kWarps];
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;

    // 1. Add up to 3 elements before the first address that is a multiple of 16, and up to 3 after the last float4.
    // TODO(1): Split n into head (0 to 3 elements, so that in + head is aligned to 16 bytes, but never more
    // than n), vectors (whole float4) and tail (the rest). 4 lines.
    // BEGIN SOLUTION 1
    std::size_t head = reinterpret_cast<std::uintptr_t>(in) / sizeof(float) % 4;
    head = head == 0 ? 0 : (n < 4 - head ? n : 4 - head);
    std::size_t vectors = (n - head) / 4;
    std::size_t tail = (n - head) % 4;
    // STARTER std::size_t head = 0, vectors = 0, tail = 0;
    // STARTER KIT_TODO(1);
    // END SOLUTION 1
    float sum = 0;
    if (blockIdx.x == 0) {
        if (t < static_cast<int>(head)) sum += in[t];
        if (t < static_cast<int>(tail)) sum += in[n - tail + t];
    }

    // 2. Add the bulk.
    sum += sum_of_vectors(reinterpret_cast<const float4*>(in + head), vectors);

    // 3. Compute the block's sum, as in v5.
    sum = sum_of_warp(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();  // the first warp reads the sums that all warps wrote
    if (warp != 0) return;
    sum = sum_of_warp(lane < kWarps ? warp_sums[lane] : 0.0f);

    // 4. A grid of one block is finished here. Otherwise, the first warp draws the ticket, as in v7.
    if (gridDim.x == 1) {
        if (lane == 0) *out = sum;
        return;
    }
    bool is_last = false;
    if (lane == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence();  // release: the sum is visible to all blocks before the ticket is drawn
        is_last = atomicAdd(workspace.ticket, 1u) == gridDim.x - 1;
        __threadfence();  // acquire: the values read below are not older than the tickets of the other blocks
    }
    is_last = __shfl_sync(all_lanes, is_last, 0);
    if (!is_last) return;
    __syncwarp();  // a shuffle does not order memory: this extends lane 0's acquire to the other lanes

    // 5. The last warp adds the blocks' sums in double, always in the same order, with eight loads in flight.
    // TODO(3): Add up as in v7, with the 32 lanes of this warp. Lane 0 writes *out and resets the ticket. 18 lines.
    // BEGIN SOLUTION 3
    constexpr int loads = 8;
    int blocks = gridDim.x;
    double total = 0;
    for (int base = 0; base < blocks; base += 32 * loads) {
        double loaded[loads];
#pragma unroll
        for (int k = 0; k < loads; ++k) {
            int b = base + k * 32 + lane;
            loaded[k] = b < blocks ? workspace.partials[b] : 0.0;
        }
#pragma unroll
        for (int k = 0; k < loads; ++k) total += loaded[k];
    }
    total = sum_of_warp(total);
    if (lane == 0) {
        *out = static_cast<float>(total);
        *workspace.ticket = 0;
    }
    // STARTER KIT_TODO(3, lane, out, workspace);
    // END SOLUTION 3
}
// [/kernel]

void fast(const float* in, std::size_t n, float* out, Workspace workspace) {
    int device = 0;
    int multiprocessors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    int most = std::min(multiprocessors * kBlocksPerMultiprocessor, kMaxBlocks);
    std::size_t rounds = kit::ceil_div(n / 4, kVectors);
    int blocks = static_cast<int>(std::clamp<std::size_t>(rounds, 1, most));
    fast_v8<<<blocks, kThreads>>>(in, n, out, workspace);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction
