// expect: wrong; task 2; cause: out of bounds
// REGION 2
    for (std::size_t i = first + thread; i < last; i += 2 * threads) {
        y[i] += factor * x[i];
        y[i + threads] += factor * x[i + threads];
    }
