// expect: wrong; task 3; cause: of `out` differ | never written
// REGION 3
    int first_in = first - S::WIDTH / 2 + 1, rows_in = last - first + S::WIDTH - 1;
