// expect: wrong; task 1; cause: nobody has written | before it was written | never written
// REGION 1
    const int half = width / 2, here = blockIdx.x * kBlock + t;
    tile[half + t] = here < n ? in[here] : 0.0f;
    if (t < half) tile[t] = here - half >= 0 && here - half < n ? in[here - half] : 0.0f;
    if (t > kBlock - half) tile[t + 2 * half] = here + half < n ? in[here + half] : 0.0f;
