// 05_convolution/conv1d_constant: the mask in constant memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv1d_constant.cu
//        ../../tests/05_convolution/conv1d_constant_test.cu -o conv1d_constant
// Run:   ./conv1d_constant
//
//   v2  conv1d_v2_constant: like v1, but the mask is in constant memory

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

/// 508 bytes of the 64 KB that all constants of a program share. Kernels read it, and only the host writes it.
__constant__ float constant_mask[kMaxWidth];

}  // namespace

// v2: like v1, but the mask is read through the constant cache, which returns one value at a time to all lanes of a warp.
// Mapping : one thread per output, one block per kBlock outputs.
// Cost    : 1 global read and 1 multiply-add per mask element.
// Requires: all lanes read the same element of the mask at the same time; otherwise the reads take turns.
// Next    : neighbouring threads read the same elements of `in` again and again; see v3 in conv1d_tiled.cu.
// [kernel]
__global__ void conv1d_v2_constant(const float* in, int n, int width, float* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    int first = i - width / 2;
    float sum = 0;
    // TODO(2): Compute the sum as in conv1d_basic, with the mask from constant memory. About 4 lines.
    // BEGIN SOLUTION 2
    for (int k = 0; k < width; ++k) {
        int j = first + k;
        if (j >= 0 && j < n) sum += constant_mask[k] * in[j];
    }
    // STARTER KIT_TODO(2, in, width, first, sum);
    // END SOLUTION 2
    out[i] = sum;
}
// [/kernel]

// [launch]
cudaError_t conv1d_constant(const float* in, int n, const float* mask, int width, float* out) {
    // TODO(1): Refuse a mask without elements, or one that does not fit into constant_mask, as the contract says.
    // Then copy the mask there from the host, and check the copy. Remember the unit of the size. About 2 lines.
    // BEGIN SOLUTION 1
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * sizeof(float)));
    // STARTER KIT_TODO(1, mask, constant_mask);
    // END SOLUTION 1
    if (n == 0) return cudaSuccess;
    conv1d_v2_constant<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}
// [/launch]

}  // namespace convolution
