// expect: wrong; task 2; cause: no barrier
// REGION 2
    for (int stride = 1; stride < kBlock; stride <<= 1) {
        if ((t & (2 * stride - 1)) == 0) tile[t] += tile[t + stride];
        __syncthreads();
    }
