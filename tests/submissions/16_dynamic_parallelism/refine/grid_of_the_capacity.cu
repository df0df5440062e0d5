// expect: wrong; task 3; cause: blocks | threads
// REGION 3
    if (pieces == 0) return;
    refine_v1<<<kit::ceil_div(work.capacity, kBlock), kBlock, 0, cudaStreamTailLaunch>>>(heights, limit, work, next, pieces, now);
    if (cudaGetLastError() != cudaSuccess) __trap();
