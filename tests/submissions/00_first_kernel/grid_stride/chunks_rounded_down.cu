// expect: wrong; task 2; cause: end is wrong | last value is wrong
// REGION 2
    std::size_t per = (last - first) / threads;
    for (std::size_t i = first + thread * per; i < first + (thread + 1) * per; ++i) y[i] += factor * x[i];
