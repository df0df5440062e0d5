// expect: wrong; task 3; cause: of `out` differ
// REGION 3
    int i = blockIdx.x * kBlockTile + threadIdx.x;
    if (i < n) out[i] += offsets[blockIdx.x];
