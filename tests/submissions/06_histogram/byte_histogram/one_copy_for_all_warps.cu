// expect: wrong; task 2; cause: warp | copies | contention | at the same
// REGION 2
    for (std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += std::size_t{gridDim.x} * kBlock)
        atomicAdd(&own_bins[0][data[i]], 1u);
