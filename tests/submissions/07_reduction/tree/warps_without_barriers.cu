// expect: wrong; task 1; cause: no barrier | __syncwarp
// REGION 1
    for (int stride = kBlock / 2; stride > 16; stride /= 2) {
        __syncthreads();
        if (t < stride) tile[t] += tile[t + stride];
    }
    if (t < 16)
        for (int stride = 16; stride > 0; stride /= 2) tile[t] += tile[t + stride];
