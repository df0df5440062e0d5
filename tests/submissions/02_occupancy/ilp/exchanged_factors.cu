// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    for (int j = 0; j < kIlp && first + j * kIlpBlock < n; ++j) out[first + j * kIlpBlock] = b * value[j] + a;
