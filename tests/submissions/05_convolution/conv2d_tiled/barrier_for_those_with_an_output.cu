// expect: wrong; task 2; cause: barrier
// REGION 2
    int x = blockIdx.x * kTileX + threadIdx.x, y = blockIdx.y * kTileY + threadIdx.y;
    if (x < columns && y < rows) {
        __syncthreads();
        float sum = 0;
        for (int p = 0; p < width; ++p)
            for (int q = 0; q < width; ++q) sum += constant_mask[p * width + q] * tile[threadIdx.y + p][threadIdx.x + q];
        out[y * columns + x] = sum;
    }
