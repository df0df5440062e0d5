// expect: wrong; task 3; cause: active_warps
// REGION 3
    r.active_warps = blocks * block / 32;
    r.percent = r.active_warps * 100. / r.maximum_warps;
