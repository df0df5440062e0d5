// expect: wrong; task 3; cause: no barrier
// REGION 3
    for (int stride = kBlock; stride > 0; stride /= 2) {
        __syncthreads();
        const int right = (2 * t + 2) * stride - 1, left = right - stride;
        if (right >= kTile) continue;
        const T before = tile[Layout::place(right)];
        tile[Layout::place(right)] = before + tile[Layout::place(left)];
        tile[Layout::place(left)] = before;
    }
