// expect: wrong; task 2; cause: before `first`
// REGION 2
    for (std::size_t i = thread; i < last; i += threads) {
        if (i >= first) y[i] = factor * x[i] + y[i];
    }
