// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();
        T sum = tile[t];
        if (t > stride) sum = tile[t - stride] + sum;
        __syncthreads();
        tile[t] = sum;
    }
