// expect: wrong; task 3; cause: never written | end is wrong | values are right
// REGION 3
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * width * sizeof(float)));
    if (rows == 0 || columns == 0) return cudaSuccess;
    conv2d_v6_tiled<<<kit::ceil_div(rows * columns, kTileX * kTileY), dim3(kTileX, kTileY)>>>(in, rows, columns, width, out);
    CUDA_CHECK_LAUNCH();
