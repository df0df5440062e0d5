// 06_histogram/cluster_histogram: 65,536 bins in the shared memory of eight blocks.
//
// Build: nvcc -std=c++17 -arch=native -I../../common -I../../tests cluster_histogram.cu
//        ../../tests/06_histogram/cluster_histogram_test.cu -o cluster_histogram
// Run:   ./cluster_histogram     (needs a device of sm_90 or newer, and code for it)
//
//   v7  cluster_histogram_v7: like v6, but every bin is in the shared memory of one of the cluster's blocks

#include <cooperative_groups.h>

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

// v7: like v6, but all bins are in shared memory: block r of a cluster of 8 holds bins r * 8192 to r * 8192 + 8191.
// Mapping : grid-stride; a value is counted in the block of the cluster that holds its bin.
// Cost    : 1 atomic per value in shared memory, mostly that of a different block; 2 barriers of the whole cluster.
// Requires: the bins are 0 when the kernel starts; clusters of kClusterSize blocks.
// Next    : back to few bins, where the lanes of a warp wait for each other; see v8 and v9 in aggregated.cu.
// [v7]
__global__ void cluster_histogram_v7(const unsigned short* values, std::size_t n, unsigned int* bins,
                                     int bin_count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ unsigned int own_bins[kPrivateBins];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    for (int i = threadIdx.x; i < kPrivateBins; i += kBlock) own_bins[i] = 0;
    std::size_t first = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    std::size_t threads = std::size_t{gridDim.x} * kBlock;
    // TODO(2): Wait for the cluster. Count each value below bin_count in the block that holds its bin:
    // cluster.map_shared_rank(own_bins, rank) is the address of own_bins in block `rank`. Wait for the cluster
    // again. About 8 lines.
    KIT_TODO(2, values, first, n, threads);
    int first_bin = static_cast<int>(cluster.block_rank()) * kPrivateBins;
    for (int i = threadIdx.x; i < kPrivateBins && first_bin + i < bin_count; i += kBlock) {
        if (own_bins[i] > 0) atomicAdd(&bins[first_bin + i], own_bins[i]);
    }
#else
    (void)values, (void)n, (void)bins,
        (void)bin_count;  // compiled for a device without clusters: never launched
#endif
}
// [/v7]

// [launch]
bool cluster_histogram(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count) {
    // TODO(1): Query cudaDevAttrClusterLaunch. If it is 0, return false and do nothing else. 5 lines.
    KIT_TODO(1);

    CUDA_CHECK(cudaMemsetAsync(bins, 0, bin_count * sizeof(unsigned int)));
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = kClusterSize;
    size.val.clusterDim.y = 1;
    size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    // TODO(3): Set config.gridDim to a whole number of clusters: one for every 2^18 values, but at least 1 and at most 64.
    // 2 lines.
    KIT_TODO(3, config, n);
    config.blockDim = dim3(kBlock);
    config.attrs = &size;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_histogram_v7, values, n, bins, bin_count));
    return true;
}
// [/launch]

}  // namespace histogram
