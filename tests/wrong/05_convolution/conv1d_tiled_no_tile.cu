// wrong: The elements are read from global memory, as in v2: nothing is shared.
// diagnosis: a tile that is shared needs one per block
// backends: cpu (a GPU does not count barriers)
// sanitizer.all: the numbers are right: only the executor counts barriers

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth];

}  // namespace

__global__ void conv1d_v3_tiled(const float* in, int n, int width, float* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        int j = i - width / 2 + k;
        if (j >= 0 && j < n) sum += constant_mask[k] * in[j];
    }
    out[i] = sum;
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
