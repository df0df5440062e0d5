// expect: wrong; task 2; cause: no barrier | race
// REGION 2
    if (t == kBlock - 1) tile[Layout::place(kTile - 1)] = T{};
