// expect: wrong; task 1; cause: of `data`
// REGION 1
    for (int i = threadIdx.x; i < columns; i += kPermuteBlock) row[order[i]] = mine[i];
    __syncthreads();
    for (int i = threadIdx.x; i < columns; i += kPermuteBlock) mine[i] = row[i];
