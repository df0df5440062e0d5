// expect: wrong; task 2; cause: lane | mask | warp | shuffle
// REGION 2
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();
    if (t >= kBlock / 32) return;
    value = warp_sum(warp_sums[t]);
