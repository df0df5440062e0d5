// expect: wrong; task 3; cause: threads ran
// REGION 3
    const std::size_t tiles = (n + kIlp * kIlpBlock - 1) / (kIlp * kIlpBlock);
    const std::size_t grid = (std::min(tiles, 4 * quarter) + 3) / 4;
    ilp_v5<<<unsigned(grid), kIlpBlock>>>(in, n, a, b, out);
    CUDA_CHECK_LAUNCH();
