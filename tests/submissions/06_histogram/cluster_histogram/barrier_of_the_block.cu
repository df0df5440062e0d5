// expect: wrong; task 1|2|3; cause: cluster
#include <algorithm>
#include <cooperative_groups.h>
#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

__global__ void __cluster_dims__(kClusterSize, 1, 1)
    count(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ unsigned int mine[kPrivateBins];
    auto cluster = cooperative_groups::this_cluster();
    for (int i = threadIdx.x; i < kPrivateBins; i += kBlock) mine[i] = 0;
    __syncthreads();
    for (std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += std::size_t{gridDim.x} * kBlock) {
        const int value = values[i];
        if (value < bin_count) atomicAdd(cluster.map_shared_rank(&mine[value % kPrivateBins], value / kPrivateBins), 1u);
    }
    cluster.sync();
    const int first = int(cluster.block_rank()) * kPrivateBins;
    for (int i = threadIdx.x; i < kPrivateBins && first + i < bin_count; i += kBlock)
        if (unsigned own = mine[i]) atomicAdd(bins + first + i, own);
#endif
}

bool cluster_histogram(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    if (device.clusterLaunch == 0) return false;
    CUDA_CHECK(cudaMemsetAsync(bins, 0, bin_count * sizeof(unsigned int)));
    count<<<kClusterSize * unsigned(std::clamp<std::size_t>(n >> 18, 1, 64)), kBlock>>>(values, n, bins, bin_count);
    CUDA_CHECK_LAUNCH();
    return true;
}

}  // namespace histogram
