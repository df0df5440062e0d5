// expect: wrong; task 2; cause: no barrier
// REGION 2
    if (lane == 31) warp_ends[warp] = inclusive;
    __syncthreads();
    if (threadIdx.x < 32) {
        const int ends = warp_scan(lane < warps ? warp_ends[lane] : 0);
        if (lane < warps) warp_ends[lane] = ends;
        __syncwarp();
    }
    exclusive += warp == 0 ? 0 : warp_ends[warp - 1];
    total = warp_ends[warps - 1];
