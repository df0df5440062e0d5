// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    if (lane == 31) warp_ends[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        int ends = warp_scan(lane < warps ? warp_ends[lane] : 0);
        if (lane < warps) warp_ends[lane] = ends;
    }
    __syncthreads();
    if (warp > 0) exclusive += warp_ends[warp - 1];
    total = warp_ends[warp];
