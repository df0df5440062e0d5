// expect: wrong; task 2; cause: dense | child | kernels
// REGION 2
    if (entries >= kDense) {
        dense_row<<<1, kBlock, 0, cudaStreamFireAndForget>>>(a, row, x, y);
        if (cudaGetLastError() == cudaSuccess) return;
    }
    y[row] = walk_row(a, row, x);
