// expect: wrong; task 2; cause: never written | of `out`
// REGION 2
    const dim3 grid(static_cast<unsigned int>(kit::ceil_div(rows, std::size_t{kHigh})),
                    static_cast<unsigned int>(std::min(kit::ceil_div(columns, std::size_t{kWide}), std::size_t{65535})));
    coalesced_v3<<<grid, dim3(kWide, kHigh)>>>(in, factor, rows, columns, out);
    CUDA_CHECK_LAUNCH();
