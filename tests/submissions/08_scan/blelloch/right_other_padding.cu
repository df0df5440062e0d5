// expect: right
// REGION 2
    if (t == 0) tile[Layout::place(kTile - 1)] = T();
// REGION 4
    return i + (i >> 5);
