// expect: wrong; task 2; cause: global memory | tile | shared
// REGION 2
    __syncthreads();
    float sum = tile[t] * 0;
    for (int k = 0; k < width; ++k)
        if (first + t + k >= 0 && first + t + k < n) sum += constant_mask[k] * in[first + t + k];
    if (blockIdx.x * kBlock + t < n) out[blockIdx.x * kBlock + t] = sum;
