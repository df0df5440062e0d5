// expect: wrong; task 4; cause: printed
// REGION 4
    std::fprintf(out, "%s: %d of %d warps, %.1f%%", name, report.active_warps, report.maximum_warps, report.percent);
