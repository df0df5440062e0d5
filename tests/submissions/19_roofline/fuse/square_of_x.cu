// expect: wrong; task 1; cause: of `z`
// REGION 1
    const std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = a * x[i] * x[i] + y[i];
