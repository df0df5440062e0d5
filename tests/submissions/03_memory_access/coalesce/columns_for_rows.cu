// expect: wrong; task 1; cause: out of bounds | race | of `out`
// REGION 1
    const std::size_t c = std::size_t{blockIdx.x} * kWide + threadIdx.x;
    if (c >= columns) return;
    for (std::size_t r = std::size_t{blockIdx.y} * kHigh + threadIdx.y; r < rows; r += std::size_t{gridDim.y} * kHigh)
        out[c * rows + r] = factor[r] * in[c * rows + r];
