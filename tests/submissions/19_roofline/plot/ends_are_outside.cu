// expect: wrong; task 5; cause: the points within the axes
// REGION 5
    if (point.intensity <= kFirstIntensity || point.intensity >= kLastIntensity) continue;
    if (point.gflop_per_s <= kFirstGflop || point.gflop_per_s >= kLastGflop) continue;
