// expect: wrong; task 1|3; cause: one thread
// REGION 1
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
