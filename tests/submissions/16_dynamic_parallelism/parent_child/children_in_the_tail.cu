// expect: wrong; task 2; cause: kernel | order | in a row | wait
// REGION 2
    for (int i = 0; i < n; ++i) out[i] = in[i] - *least;
