// expect: wrong; task 2; cause: out of bounds
// REGION 2
    for (int k = 0; k <= width; ++k) {
        int j = first + k;
        if (j >= 0 && j < n) sum += mask[k] * in[j];
    }
