// expect: right
// REGION 1
    unsigned int lane = threadIdx.x % 32;
    int value = i < n ? in[i] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
        int other = __shfl_up_sync(all_lanes, value, offset);
        if (lane >= static_cast<unsigned int>(offset)) value += other;
    }
    value = __shfl_sync(all_lanes, value, 31);
    if (lane == 5 && i - 5 < n) sums[i / 32] = value;
