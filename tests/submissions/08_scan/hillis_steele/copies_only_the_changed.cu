// expect: wrong; task 3; cause: nobody has written | of `out` differ
// REGION 3
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();
        if (t >= stride) buffers[1 - from][t] = buffers[from][t - stride] + buffers[from][t];
        from = 1 - from;
    }
