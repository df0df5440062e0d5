// expect: wrong; task 2|3|1; cause: kernels | launched | race
// REGION 2
    int half = n / 2, rest = n - half;
    for (int part = 0; part < 2; ++part) {
        const int begin = part ? half : 0, count = part ? rest : half;
        for (int copy = 0; copy < 2 && count > 0; ++copy)
            subtract<<<kit::ceil_div(count, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(in + begin, count, least, out + begin);
        expect_launched();
    }
