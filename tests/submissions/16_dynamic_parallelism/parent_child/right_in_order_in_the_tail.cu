// expect: right
// REGION 2
    const int half = n >> 1;
    const int begins[] = {0, half, n};
    for (int k = 0; k < 2; ++k)
        if (const int count = begins[k + 1] - begins[k]) {
            subtract<<<(count - 1) / kBlock + 1, kBlock, 0, cudaStreamFireAndForget>>>(in + begins[k], count, least,
                                                                                        out + begins[k]);
            expect_launched();
        }
