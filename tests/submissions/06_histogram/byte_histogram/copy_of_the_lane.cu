// expect: wrong; task 2; cause: out of bounds
// REGION 2
    unsigned int* lane_bins = own_bins[threadIdx.x % 32];
    for (std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += std::size_t{gridDim.x} * kBlock)
        atomicAdd(lane_bins + data[i], 1u);
