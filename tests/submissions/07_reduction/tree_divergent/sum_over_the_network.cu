// expect: wrong; task 2; cause: one thread | shared by many | meet
// REGION 2
    __syncthreads();
    if (t % 64 == 0)
        for (int k = 1; k < 64; ++k) tile[t] += tile[t + k];
    __syncthreads();
    if (t == 0) tile[0] = tile[0] + tile[64] + tile[128] + tile[192];
