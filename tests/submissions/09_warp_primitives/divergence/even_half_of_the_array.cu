// expect: wrong; task 2; cause: never written | race | of `by_position`
// REGION 2
    int warp = t / kLanes;
    int lane = t % kLanes;
    return warp / 2 * kLanes + 2 * lane + warp % 2;
