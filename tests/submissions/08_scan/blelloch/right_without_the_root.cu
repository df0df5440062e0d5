// expect: right
// REGION 1
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) tile[Layout::place(right)] = tile[Layout::place(right - stride)] + tile[Layout::place(right)];
    }
    __syncthreads();
