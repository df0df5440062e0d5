// expect: wrong; task 1|2; cause: race | of `out`
// REGION 1
    const std::size_t c = std::size_t{blockIdx.x} * kWide + threadIdx.x;
    if (c >= columns) return;
    for (std::size_t r = std::size_t{blockIdx.y} * kHigh + threadIdx.y; r < rows; r += kHigh * gridDim.y + 1)
        out[r * columns + c] = factor[r] * in[r * columns + c];
