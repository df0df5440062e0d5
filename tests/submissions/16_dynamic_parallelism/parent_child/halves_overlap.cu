// expect: wrong; task 2; cause: written
// REGION 2
    int half = (n + 1) / 2, rest = n - n / 2;
    if (half > 0) {
        subtract<<<kit::ceil_div(half, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(in, half, least, out);
        expect_launched();
        subtract<<<kit::ceil_div(rest, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(in + n / 2, rest, least, out + n / 2);
        expect_launched();
    }
