// expect: wrong; task 1; cause: of `block_sums` differ
// REGION 1
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_up_sync(all_lanes, value, offset);
