// wrong: One element per thread: the last width - 1 elements of the tile are never loaded.
// diagnosis: uninitialised read
// backends: cpu (on a GPU the tile holds what was there before, sometimes the right values)
// sanitizer.all: initcheck watches global memory only

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth];

}  // namespace

__global__ void conv1d_v3_tiled(const float* in, int n, int width, float* out) {
    __shared__ float tile[kBlock + kMaxWidth - 1];
    int t = threadIdx.x;
    int first = blockIdx.x * kBlock - width / 2;  // the element that tile[0] holds

    int j = first + t;
    tile[t] = j >= 0 && j < n ? in[j] : 0.0f;

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
