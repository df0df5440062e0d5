// expect: wrong; task 2; cause: race
// REGION 2
    int column = first_column + threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kBlockRows) {
        if (first_row + y < rows && column < columns)
            tile[y][threadIdx.x] = in[(first_row + y) * columns + column];
    }
