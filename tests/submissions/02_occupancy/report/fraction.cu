// expect: wrong; task 3; cause: percent is
// REGION 3
    r.active_warps = (block + 31) / 32 * blocks;
    r.percent = double(r.active_warps) / r.maximum_warps;
