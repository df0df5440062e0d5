// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    for (unsigned k = 0; k < unsigned(width); ++k) {
        if (first + k < unsigned(n) && first >= 0) sum += in[first + k] * mask[k];
    }
