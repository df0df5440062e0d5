// expect: right
// REGION 1
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) value += __shfl_xor_sync(0xffffffff, value, offset, 32);
// REGION 2
    if (lane == 31) warp_sums[warp] = value;
    __syncthreads();
    if (warp > 0) return;
    value = warp_sum(lane >= kBlock / 32 ? 0.f : warp_sums[lane]);
