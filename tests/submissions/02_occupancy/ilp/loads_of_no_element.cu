// expect: wrong; task 1; cause: out of bounds
// REGION 1
    for (int j = 0; j < kIlp; ++j) value[j] = in[first + j * kIlpBlock];
