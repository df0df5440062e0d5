// expect: right
// REGION 1
    for (int stride = kBlock / 2; stride > 16; stride /= 2) {
        __syncthreads();
        if (t < stride) tile[t] += tile[t + stride];
    }
    volatile float* v = tile;
    if (t < 32)
        for (int stride = 16; stride > 0; stride /= 2) {
            __syncwarp();
            const float other = v[(t + stride) % 32];
            __syncwarp();
            v[t] = v[t] + other;
        }
