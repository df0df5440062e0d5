// expect: wrong; task 3; cause: out of bounds | race | threads
// REGION 3
    const std::size_t tiles = kit::ceil_div(n, std::size_t{kIlp * kIlpBlock});
    ilp_v5<<<unsigned(std::min(tiles, quarter)), kIlp * kIlpBlock>>>(in, n, a, b, out);
    CUDA_CHECK_LAUNCH();
