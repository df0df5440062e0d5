// wrong: Threads without an output leave before the barrier, and before they have loaded their part of the tile.
// diagnosis: barrier
// backends: cpu (on a GPU threads that have left are not waited for)
// sanitizer.all: hardware counts the threads that have left as arrived, and initcheck watches global memory only

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth];

}  // namespace

__global__ void conv1d_v3_tiled(const float* in, int n, int width, float* out) {
    __shared__ float tile[kBlock + kMaxWidth - 1];
    int t = threadIdx.x;
    if (static_cast<int>(blockIdx.x) * kBlock + t >= n) return;
    int first = blockIdx.x * kBlock - width / 2;  // the element that tile[0] holds

    for (int s = t; s < kBlock + width - 1; s += kBlock) {
        int j = first + s;
        tile[s] = j >= 0 && j < n ? in[j] : 0.0f;
    }

    __syncthreads();  // the neighbours' elements were loaded by other threads
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += constant_mask[k] * tile[t + k];
    int i = blockIdx.x * kBlock + t;
    if (i < n) out[i] = sum;
}

cudaError_t conv1d_tiled(const float* in, int n, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * sizeof(float)));
    if (n == 0) return cudaSuccess;
    conv1d_v3_tiled<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}

}  // namespace convolution
