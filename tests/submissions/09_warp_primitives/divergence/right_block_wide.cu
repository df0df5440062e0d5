// expect: right
// REGION 2
    int block = t / kBlock, inside = t % kBlock;
    return block * kBlock + (inside < kBlock / 2 ? 2 * inside : 2 * (inside - kBlock / 2) + 1);
// REGION 4
    __syncthreads();
    while (waiting > 0) {
        if (lane < waiting) out[queue[lane]] = climb(table, in[queue[lane]]);
        queue += kLanes;
        waiting -= kLanes;
    }
