// expect: wrong; task 1; cause: of `sums` | tail | `sums`
// REGION 1
    int value = i < n ? in[i] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
        int other = __shfl_up_sync(all_lanes, value, offset);
        if (threadIdx.x % 32 >= offset) value += other;
    }
    if (i % 32 == 31 && i < n) sums[i / 32] = value;
