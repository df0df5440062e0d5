// expect: right
// REGION 1
    const int wide = kTileX + width - 1, high = kTileY + width - 1;
    for (int s = threadIdx.y * kTileX + threadIdx.x; s < wide * high; s += kTileX * kTileY) {
        const int v = s / wide, u = s - v * wide, row = first_y + v, column = first_x + u;
        float value = 0;
        if (unsigned(row) < unsigned(rows) && unsigned(column) < unsigned(columns)) value = in[row * columns + column];
        tile[v][u] = value;
    }
