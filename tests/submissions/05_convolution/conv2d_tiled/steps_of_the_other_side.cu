// expect: wrong; task 1; cause: nobody has written | before it was written | never written
// REGION 1
    for (int v = threadIdx.y; v < kTileY + width - 1; v += kTileX)
        for (int u = threadIdx.x; u < kTileX + width - 1; u += kTileX) {
            int row = first_y + v, column = first_x + u;
            tile[v][u] = row >= 0 && row < rows && column >= 0 && column < columns ? in[row * columns + column] : 0.0f;
        }
