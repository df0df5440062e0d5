// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    for (int k = 0; k < WIDTH; ++k)
        for (int j = 0; j < 4; ++j) sum[j] = fmaf(mask.weight[k], window[halo - WIDTH / 2 + k + j - 1], sum[j]);
