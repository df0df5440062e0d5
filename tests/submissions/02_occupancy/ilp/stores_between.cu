// expect: wrong; task 1; cause: loads come first
// REGION 1
    for (int j = 0; j < kIlp; j += 2) {
        const std::size_t i = first + j * kIlpBlock, k = i + kIlpBlock;
        if (i < n) value[j] = in[i];
        if (k < n) value[j + 1] = in[k];
        if (i < n) out[i] = a * value[j] + b;
        if (k < n) out[k] = a * value[j + 1] + b;
    }
// REGION 2
