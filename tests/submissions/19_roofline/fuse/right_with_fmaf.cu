// expect: right
// REGION 2
    for (std::size_t i = blockIdx.x * std::size_t(kBlock) + threadIdx.x; i < n; i += std::size_t(kBlock) * gridDim.x)
        own = fmaf(fmaf(a, x[i], y[i]), fmaf(a, x[i], y[i]), own);
// REGION 3
    if (threadIdx.x < 1) atomicAdd(&sum[0], all);
