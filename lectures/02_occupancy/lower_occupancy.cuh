// Kernels of the demo that do the same work with fewer threads and more work for each: matrices and Fourier transforms.
// For a GPU only, because the CPU executor cannot measure their time.
#pragma once

#include <cuda_runtime.h>

namespace lower_occupancy {

constexpr int kTile = 32;

/// c = a * b for n x n matrices, n a multiple of 32. A block computes a tile of 32 x 32 results, and each thread OUTPUTS of
/// them, so a block has 32 x (32 / OUTPUTS) threads. A thread uses each value of b from shared memory for all its results.
template <int OUTPUTS>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
    constexpr int rows = kTile / OUTPUTS;
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
    float sum[OUTPUTS] = {};
    for (int k = 0; k < n; k += kTile) {
#pragma unroll
        for (int j = 0; j < OUTPUTS; ++j) {
            tile_a[y + j * rows][x] = a[static_cast<size_t>(row + j * rows) * n + k + x];
            tile_b[y + j * rows][x] = b[static_cast<size_t>(k + y + j * rows) * n + column];
        }
        __syncthreads();  // all threads have stored their part of the tiles
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const float right = tile_b[i][x];
#pragma unroll
            for (int j = 0; j < OUTPUTS; ++j) sum[j] += tile_a[y + j * rows][i] * right;
        }
        __syncthreads();  // all threads have read the tiles before the next round overwrites them
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS; ++j) c[static_cast<size_t>(row + j * rows) * n + column] = sum[j];
}

constexpr int kPoints = 256;

__device__ inline float2 operator+(float2 a, float2 b) {
    return {a.x + b.x, a.y + b.y};
}
__device__ inline float2 operator-(float2 a, float2 b) {
    return {a.x - b.x, a.y - b.y};
}
__device__ inline float2 operator*(float2 a, float2 b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// exp(-2 pi i * numerator / denominator)
__device__ inline float2 root(int numerator, int denominator) {
    float2 w;
    sincospif(-2.0f * static_cast<float>(numerator) / static_cast<float>(denominator), &w.y, &w.x);
    return w;
}

__device__ inline void transform(float2 (&v)[2]) {
    const float2 a = v[0], b = v[1];
    v[0] = a + b, v[1] = a - b;
}

__device__ inline void transform4(float2& a, float2& b, float2& c, float2& d) {
    const float2 even = a + c, odd = b + d, even_rest = a - c;
    const float2 turned = {b.y - d.y, d.x - b.x};  // -i times (b - d)
    a = even + odd, b = even_rest + turned, c = even - odd, d = even_rest - turned;
}

__device__ inline void transform(float2 (&v)[4]) {
    transform4(v[0], v[1], v[2], v[3]);
}

/// 16 points as 4 x 4.
__device__ inline void transform(float2 (&v)[16]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        transform4(v[i], v[i + 4], v[i + 8], v[i + 12]);
#pragma unroll
        for (int k = 1; k < 4; ++k) v[i + 4 * k] = v[i + 4 * k] * root(i * k, 16);
    }
    float2 out[16];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        transform4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
#pragma unroll
        for (int j = 0; j < 4; ++j) out[k + 4 * j] = v[4 * k + j];
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) v[i] = out[i];
}

/// Computes many transforms of 256 points each. A thread holds RADIX points in registers, so a transform takes 256 / RADIX
/// threads and log(256) / log(RADIX) passes through shared memory. A block has 256 threads and RADIX transforms
/// (Stockham's order).
template <int RADIX>
__global__ void fourier(const float2* in, float2* out) {
    constexpr int threads = kPoints / RADIX;
    __shared__ float2 points[RADIX * kPoints];
    const int j = threadIdx.x % threads;
    float2* mine = points + threadIdx.x / threads * kPoints;
    const size_t base = (static_cast<size_t>(blockIdx.x) * RADIX + threadIdx.x / threads) * kPoints;
    float2 v[RADIX];
#pragma unroll
    for (int r = 0; r < RADIX; ++r) v[r] = in[base + j + r * threads];
    for (int done = 1; done < kPoints; done *= RADIX) {
        if (done > 1) {
#pragma unroll
            for (int r = 0; r < RADIX; ++r) v[r] = mine[j + r * threads];
            __syncthreads();  // all threads have read before any thread writes again
        }
#pragma unroll
        for (int r = 1; r < RADIX; ++r) v[r] = v[r] * root(r * (j % done), done * RADIX);
        transform(v);
        const int to = j / done * done * RADIX + j % done;
#pragma unroll
        for (int r = 0; r < RADIX; ++r) mine[to + r * done] = v[r];
        __syncthreads();  // all threads have stored the results of this pass
    }
#pragma unroll
    for (int r = 0; r < RADIX; ++r) out[base + j + r * threads] = mine[j + r * threads];
}

}  // namespace lower_occupancy
