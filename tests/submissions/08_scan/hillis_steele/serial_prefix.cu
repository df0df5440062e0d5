// expect: wrong; task 2; cause: meet | one thread | shared by many | additions
// REGION 2
    __syncthreads();
    T sum = tile[0];
    for (int k = 1; k <= t; ++k) sum = sum + tile[k];
    __syncthreads();
    tile[t] = sum;
