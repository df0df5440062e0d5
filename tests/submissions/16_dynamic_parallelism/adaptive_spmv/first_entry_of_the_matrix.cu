// expect: wrong; task 1; cause: of `y` differ | differ
// REGION 1
    for (int k = t; k < a.row_start[row + 1] - a.row_start[row]; k += kBlock) sum += a.value[k] * x[a.column[k]];
