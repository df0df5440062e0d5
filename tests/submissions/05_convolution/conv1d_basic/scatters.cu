// expect: wrong; task 2; cause: race | atomic | nobody has written | never written
// REGION 2
    for (int k = 0; k < width; ++k) {
        int j = first + k;
        if (j >= 0 && j < n) out[j] += mask[width - 1 - k] * in[i];
    }
    return;
