// expect: right
// REGION 1
#pragma unroll
    for (int w = 0; w < 4 + 2 * halo; ++w) window[w] = tile[buffer][place + w];
// REGION 3
    std::copy(mask, mask + width, padded.weight + WIDTH / 2 - width / 2);
