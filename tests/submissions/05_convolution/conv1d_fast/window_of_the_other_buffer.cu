// expect: wrong; task 1; cause: nobody has written | race
// REGION 1
#pragma unroll
    for (int w = 0; w < 4 + 2 * halo; ++w) window[w] = tile[buffer ^ 1][place + w];
