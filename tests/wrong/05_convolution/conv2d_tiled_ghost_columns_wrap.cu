// wrong: Only ghost rows are 0: beyond the last column the next row begins.
// diagnosis.cpu: out of bounds
// diagnosis.gpu: NaN or infinity

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth2d * kMaxWidth2d];

}  // namespace

__global__ void conv2d_v5_constant(const float* in, int rows, int columns, int width, float* out) {
    int x = blockIdx.x * kTileX + threadIdx.x;
    int y = blockIdx.y * kTileY + threadIdx.y;
    if (x >= columns || y >= rows) return;
    float sum = 0;
    for (int p = 0; p < width; ++p) {
        int row = y - width / 2 + p;
        if (row < 0 || row >= rows) continue;
        for (int q = 0; q < width; ++q) {
            int column = x - width / 2 + q;
            if (column >= 0 && column < columns)
                sum += constant_mask[p * width + q] * in[row * columns + column];
        }
    }
    out[y * columns + x] = sum;
}

__global__ void conv2d_v6_tiled(const float* in, int rows, int columns, int width, float* out) {
    __shared__ float tile[kTileY + kMaxWidth2d - 1][kTileX + kMaxWidth2d - 1];
    int first_x = blockIdx.x * kTileX - width / 2;  // the element that tile[0][0] holds
    int first_y = blockIdx.y * kTileY - width / 2;

    for (int v = threadIdx.y; v < kTileY + width - 1; v += kTileY) {
        int row = first_y + v;
        for (int u = threadIdx.x; u < kTileX + width - 1; u += kTileX) {
            int column = first_x + u;
            bool ghost = row < 0 || row >= rows;
            tile[v][u] = ghost ? 0.0f : in[row * columns + column];
        }
    }

    __syncthreads();  // the neighbours' elements were loaded by other threads
    float sum = 0;
    for (int p = 0; p < width; ++p) {
        for (int q = 0; q < width; ++q)
            sum += constant_mask[p * width + q] * tile[threadIdx.y + p][threadIdx.x + q];
    }
    int x = blockIdx.x * kTileX + threadIdx.x;
    int y = blockIdx.y * kTileY + threadIdx.y;
    if (x < columns && y < rows) out[y * columns + x] = sum;
}

cudaError_t conv2d_constant(const float* in, int rows, int columns, const float* mask, int width,
                            float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * width * sizeof(float)));
    if (rows == 0 || columns == 0) return cudaSuccess;
    dim3 grid(kit::ceil_div(columns, kTileX), kit::ceil_div(rows, kTileY));
    conv2d_v5_constant<<<grid, dim3(kTileX, kTileY)>>>(in, rows, columns, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}

cudaError_t conv2d_tiled(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * width * sizeof(float)));
    if (rows == 0 || columns == 0) return cudaSuccess;
    dim3 grid(kit::ceil_div(columns, kTileX), kit::ceil_div(rows, kTileY));
    conv2d_v6_tiled<<<grid, dim3(kTileX, kTileY)>>>(in, rows, columns, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}

}  // namespace convolution
