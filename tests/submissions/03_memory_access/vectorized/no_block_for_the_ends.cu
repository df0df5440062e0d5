// expect: wrong; task 4; cause: refused | CUDA | invalid | of `out` | empty
// REGION 4
    if (floats_to_boundary(in) != floats_to_boundary(out)) return scale_plain(in, n, factor, out);
    const std::size_t head = std::min(floats_to_boundary(in), n);
    const std::size_t fours = (n - head) / 4;
    wide_v7<<<static_cast<unsigned int>(kit::ceil_div(fours, std::size_t{kBlock})), kBlock>>>(in, n, factor, out, head);
    CUDA_CHECK_LAUNCH();
