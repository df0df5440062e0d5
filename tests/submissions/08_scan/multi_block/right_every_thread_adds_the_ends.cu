// expect: right
// REGION 2
    if (lane == 31) warp_ends[warp] = inclusive;
    __syncthreads();
    for (int w = 0; w < warps; ++w) {
        const int end = warp_ends[w];
        if (w < warp) exclusive += end;
        total += end;
    }
    __syncthreads();
