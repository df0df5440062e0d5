// expect: right
// REGION 3
    if (i == 0) {
        for (std::size_t k = 0; k < head; ++k) out[k] = factor * in[k];
        for (std::size_t k = n - tail; k < n; ++k) out[k] = factor * in[k];
    }
