// expect: wrong; task 2; cause: out of bounds
// REGION 2
    std::size_t per = (last - first + threads - 1) / threads;
    const float* from = x + first + thread * per;
    float* to = y + first + thread * per;
    for (std::size_t k = 0; k < per; ++k) to[k] += factor * from[k];
