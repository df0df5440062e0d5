// expect: wrong; task 1; cause: out of bounds | of `out`
// REGION 1
    if (column >= columns) return;
    for (int y = threadIdx.y; y < kTile; y += kBlockRows)
        out[column * rows + first_row + y] = in[(first_row + y) * columns + column];
