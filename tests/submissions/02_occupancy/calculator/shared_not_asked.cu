// expect: wrong; task 4; cause: blocks is
// REGION 4
    r.blocks = std::min(std::min(r.by_warps, r.by_blocks), r.by_registers);
    r.occupancy = 1.0 * r.blocks * warps / m.warps;
