// expect: wrong; task 1; cause: of `out` differ | out of bounds
// REGION 1
    for (int v = threadIdx.y; v < kTileY + width - 1; v += kTileY)
        for (int u = threadIdx.x; u < kTileX + width - 1; u += kTileX) {
            int row = first_y + v, column = first_x + u;
            tile[v][u] = row >= 0 && row < rows && column >= 0 && column < columns ? in[row * rows + column] : 0.0f;
        }
