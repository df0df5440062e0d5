// expect: wrong; task 1; cause: nobody has written | barrier
// REGION 1
    if (x >= columns || y >= rows) return;
    for (int u = threadIdx.x; u < kTileX + width - 1; u += kTileX) {
        int column = first + u;
        tile[threadIdx.y][u] = column >= 0 && column < columns ? in[y * columns + column] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += constant_across[k] * tile[threadIdx.y][threadIdx.x + k];
    scratch[y * columns + x] = sum;
