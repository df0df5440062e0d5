// expect: right
// TOP
#include <algorithm>
// REGION 2
    const std::size_t per = (last - first + threads - 1) / threads;
    const std::size_t begin = min(last, first + thread * per), end = min(last, begin + per);
    for (const float* from = x + begin; from != x + end; ++from) y[from - x] += factor * *from;
