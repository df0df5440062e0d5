// expect: wrong; task 3; cause: sectors
// REGION 3
    for (int x = threadIdx.y; x < kTile; x += kBlockRows) {
        int row = first_row + x, out_row = first_column + threadIdx.x;
        if (row < rows && out_row < columns) out[out_row * rows + row] = tile[x][threadIdx.x];
    }
