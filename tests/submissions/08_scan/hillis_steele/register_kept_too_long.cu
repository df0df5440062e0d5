// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    T sum = tile[t];
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();
        if (t >= stride) sum = tile[t - stride] + sum;
    }
    __syncthreads();
    tile[t] = sum;
