// expect: right
// REGION 1
    const std::size_t i3 = first + 3 * kIlpBlock, i2 = first + 2 * kIlpBlock, i1 = first + kIlpBlock;
    if (i3 < n) {
        value[0] = __ldg(in + first), value[1] = __ldg(in + i1), value[2] = __ldcs(in + i2), value[3] = __ldg(in + i3);
    } else {
        if (i2 < n) value[2] = in[i2];
        if (first < n) value[0] = in[first];
        if (i1 < n) value[1] = in[i1];
    }
// REGION 2
    for (int j = kIlp; j-- > 0;)
        if (first + j * kIlpBlock < n) __stcs(out + first + j * kIlpBlock, fmaf(a, value[j], b));
