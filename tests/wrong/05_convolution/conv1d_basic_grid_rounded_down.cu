// wrong: The number of blocks is rounded down: the ragged end has none.
// diagnosis: only the ragged last block is wrong

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

__global__ void conv1d_v1_basic(const float* in, int n, const float* mask, int width, float* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;

    if (i >= n) return;
    int first = i - width / 2;

    float sum = 0;
    for (int k = 0; k < width; ++k) {
        int j = first + k;
        if (j >= 0 && j < n) sum += mask[k] * in[j];
    }

    out[i] = sum;
}

void conv1d_basic(const float* in, int n, const float* mask, int width, float* out) {
    if (n == 0) return;
    conv1d_v1_basic<<<n / kBlock, kBlock>>>(in, n, mask, width, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace convolution
