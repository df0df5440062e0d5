// expect: wrong; task 2; cause: race | kernels | threads | blocks
// REGION 2
    if (entries > kDense) {
        dense_row<<<kit::ceil_div(entries, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(a, row, x, y);
        if (cudaGetLastError() == cudaSuccess) return;
    }
    y[row] = walk_row(a, row, x);
