// expect: wrong; task 3; cause: nobody has written | differ | out of bounds | race
// REGION 3
    for (int stride = kBlock; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) {
            T before = tile[right];
            T left_sum = tile[right - stride];
            tile[right - stride] = before;
            tile[right] = before + left_sum;
        }
    }
    __syncthreads();
