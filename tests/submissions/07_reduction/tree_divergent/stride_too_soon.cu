// expect: wrong; task 2; cause: of `block_sums` differ
// REGION 2
    for (int stride = 2; stride < kBlock; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
    }
