// expect: wrong; task 3|1; cause: one thread
// REGION 1
    if (i > 0) return;
    for (; i < n - 1; ++i) {
        float own = 0;
        for (int k = 0; k < width; ++k)
            if (i - width / 2 + k >= 0 && i - width / 2 + k < n) own += mask[k] * in[i - width / 2 + k];
        out[i] = own;
    }
    if (i >= n) return;
    int first = i - width / 2;
