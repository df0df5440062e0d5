// expect: wrong; task 3; cause: out of bounds | race | of `out`
// REGION 3
    int row = first_row + threadIdx.x;
    for (int x = threadIdx.y; x < kTile; x += kBlockRows) {
        if (row < rows && first_column + x < columns) out[(first_column + x) * columns + row] = tile[threadIdx.x][x];
    }
