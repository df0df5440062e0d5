// expect: wrong; task 2; cause: of `y` differ
// REGION 2
    for (std::size_t i = first + thread; i < last; i += threads) y[i] = factor * (x[i] + y[i]);
