// expect: wrong; task 2; cause: out of bounds | differ
// REGION 2
    for (int stride = kTile / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * 2 * stride - 1;
        if (right < count) tile[right + stride] = tile[right] + tile[right + stride];
    }
    __syncthreads();
