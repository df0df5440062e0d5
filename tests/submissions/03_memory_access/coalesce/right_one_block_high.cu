// expect: right
// REGION 2
    const dim3 grid(static_cast<unsigned int>(kit::ceil_div(columns, std::size_t{kWide})), 1);
    coalesced_v3<<<grid, dim3(kWide, kHigh)>>>(in, factor, rows, columns, out);
    CUDA_CHECK_LAUNCH();
