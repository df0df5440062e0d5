// expect: wrong; task 2; cause: of `out` differ
// REGION 2
    for (int v = threadIdx.y; v < kTileY + width - 1; v += kTileY) {
        int row = first + v;
        tile[v][threadIdx.x] = x < columns && row >= 0 && row < rows ? scratch[row * columns + threadIdx.x] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += constant_down[k] * tile[threadIdx.y + k][threadIdx.x];
    if (x < columns && y < rows) out[y * columns + x] = sum;
