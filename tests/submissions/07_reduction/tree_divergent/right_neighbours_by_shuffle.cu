// expect: right
// REGION 2
    float sum = tile[t];
    for (int stride = 1; stride < 32; stride *= 2) sum += __shfl_xor_sync(~0u, sum, stride);
    __syncthreads();
    if (t % 32 == 0) tile[t] = sum;
    for (int stride = 32; stride < kBlock; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
    }
