// expect: wrong; task 3; cause: launched
// REGION 2
    const std::size_t i = first + thread;
    if (i < last) y[i] += factor * x[i];
    (void)threads;
// REGION 3
    const std::size_t round = std::size_t(grid) * block;
    for (std::size_t begin = first; begin < last; begin += round) update<<<grid, block>>>(x, y, begin, last, factor);
