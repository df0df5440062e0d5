// expect: wrong; task 2; cause: race | out of bounds
// REGION 2
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();
        if (t + stride < kBlock) tile[t] += tile[t + stride];
    }
