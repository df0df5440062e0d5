// expect: wrong; task 3; cause: race | of `out`
// REGION 3
    if (i < head) out[i] = factor * in[i];
    if (i < tail) out[4 * fours + i] = factor * in[4 * fours + i];
