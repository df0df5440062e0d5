// expect: right
// REGION 2
    dim3 grid(rows / kTile + 1, columns / kTile + 1);
    transpose_v1_naive<<<grid, dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
