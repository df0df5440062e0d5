// expect: wrong; task 2; cause: no barrier | __syncthreads
// REGION 2
    __syncwarp();
    float sum = 0;
    for (int k = width; k--;) sum += constant_mask[k] * tile[t + k];
    if (int i = blockIdx.x * kBlock + t; i < n) out[i] = sum;
