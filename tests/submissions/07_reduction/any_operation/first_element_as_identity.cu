// expect: wrong; task 2; cause: nobody has written
// REGION 2
    int i = blockIdx.x * kBlock + t;
    T value = in[i];
    for (i += gridDim.x * kBlock; i < n; i += gridDim.x * kBlock) value = operation(value, in[i]);
    tile[t] = value;
    (void)identity;
