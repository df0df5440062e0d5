// expect: wrong; task 4; cause: printed
// REGION 4
    (void)out;
    std::printf("%s: %d of %d warps, %.1f%%\n", name, report.active_warps, report.maximum_warps, report.percent);
