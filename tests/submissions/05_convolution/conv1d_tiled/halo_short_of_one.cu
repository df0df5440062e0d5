// expect: wrong; task 1; cause: nobody has written | before it was written | never written
// REGION 1
    int i = blockIdx.x * kBlock + t, half = width / 2;
    tile[half + t] = i < n ? in[i] : 0.0f;
    if (t < half) tile[t] = i - half >= 0 && i - half < n ? in[i - half] : 0.0f;
    if (t > kBlock - half) tile[t + 2 * half] = i + half < n ? in[i + half] : 0.0f;
