// 05_convolution/conv1d_tiled: a tile with a halo on both sides.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv1d_tiled.cu
//        ../../tests/05_convolution/conv1d_tiled_test.cu -o conv1d_tiled
// Run:   ./conv1d_tiled
//
//   v3  conv1d_v3_tiled: like v2, but every element is read from global memory once per block

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth];

}  // namespace

// v3: like v2, but through a tile in shared memory: kBlock elements and a halo of width - 1 elements.
// Mapping : one thread per output; kBlock threads load the kBlock + width - 1 elements of the tile.
// Cost    : (kBlock + width - 1) / kBlock global reads per output; 1 barrier; 1 shared read per mask element.
// Requires: width <= kMaxWidth, because tile and mask have room for no more.
// Next    : each multiply-add needs a shared read, so the loads are now the limit; see v4 in conv1d_fast.cu.
// [kernel]
__global__ void conv1d_v3_tiled(const float* in, int n, int width, float* out) {
    __shared__ float tile[kBlock + kMaxWidth - 1];
    int t = threadIdx.x;
    int first = blockIdx.x * kBlock - width / 2;  // the element that tile[0] holds

    // TODO(1): Fill tile[0] .. tile[kBlock + width - 2] with the elements first, first + 1, ...; use 0 for a ghost.
    // There are more elements than threads: let each thread take elements t, t + kBlock, ... About 4 lines.
    // BEGIN SOLUTION 1
    for (int s = t; s < kBlock + width - 1; s += kBlock) {
        int j = first + s;
        tile[s] = j >= 0 && j < n ? in[j] : 0.0f;
    }
    // STARTER KIT_TODO(1, in, width, first, tile);
    // END SOLUTION 1

    // TODO(2): Wait until the tile is complete, add up mask times tile, and write this thread's output, if it has
    // one. You need not handle ghosts here, because the tile holds zeros for them. About 5 lines.
    // BEGIN SOLUTION 2
    __syncthreads();  // this thread reads elements that other threads loaded
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += constant_mask[k] * tile[t + k];
    int i = blockIdx.x * kBlock + t;
    if (i < n) out[i] = sum;
    // STARTER KIT_TODO(2, n, width, out, t, tile);
    // END SOLUTION 2
}
// [/kernel]

cudaError_t conv1d_tiled(const float* in, int n, const float* mask, int width, float* out) {
    // TODO(3): As in conv1d_constant, refuse, copy the mask, and launch unless there is nothing to do. 5 lines.
    // BEGIN SOLUTION 3
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * sizeof(float)));
    if (n == 0) return cudaSuccess;
    conv1d_v3_tiled<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, width, out);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, in, n, mask, width, out, constant_mask);
    // END SOLUTION 3
    return cudaSuccess;
}

}  // namespace convolution
