// expect: wrong; task 2; cause: never written | of `out`
// REGION 2
    int tiles = kit::ceil_div(rows, kTile);
    transpose_v1_naive<<<dim3(tiles, tiles), dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
