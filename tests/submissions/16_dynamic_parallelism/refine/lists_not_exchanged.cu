// expect: wrong; task 3; cause: launch another one | pieces | race
// REGION 3
    if (pieces == 0) return;
    refine_v1<<<kit::ceil_div(pieces, kBlock), kBlock, 0, cudaStreamTailLaunch>>>(heights, limit, work, now, pieces, next);
    if (cudaGetLastError() != cudaSuccess) __trap();
