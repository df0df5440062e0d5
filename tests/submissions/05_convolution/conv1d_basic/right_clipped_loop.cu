// expect: right
// REGION 2
    const int from = max(0, -first), to = min(width, n - first);
    for (int k = from; k < to; ++k) sum = fmaf(__ldg(mask + k), __ldg(in + first + k), sum);
