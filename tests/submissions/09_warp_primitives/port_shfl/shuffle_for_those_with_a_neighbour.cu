// expect: wrong; task 3; cause: __shfl_up_sync
// REGION 3
    if (i % kLanes == 0) {
        out[i] = value;
    } else {
        out[i] = value - __shfl_up_sync(staying, value, 1);
    }
