// expect: wrong; task 2; cause: child | launch
// REGION 2
    (void)entries;
    y[row] = walk_row(a, row, x);
