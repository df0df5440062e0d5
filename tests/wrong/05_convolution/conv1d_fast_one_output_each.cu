// wrong: One output per thread, from global memory.
// diagnosis: each should compute eight
// backends: cpu (a GPU does not count threads)
// sanitizer.all: the numbers are right: only the executor counts threads

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

constexpr int kThreads = 256;

/// A kernel parameter: parameters lie in constant memory, too, and need no copy before the launch.
template <int WIDTH>
struct Mask {
    float weight[WIDTH];
};

}  // namespace

template <int WIDTH>
__global__ void conv1d_v4_fast(const float* in, int n, Mask<WIDTH> mask, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < WIDTH; ++k) {
        int j = i - WIDTH / 2 + k;
        if (j >= 0 && j < n) sum += mask.weight[k] * in[j];
    }
    out[i] = sum;
}

namespace {

template <int WIDTH>
void launch(const float* in, int n, const float* mask, int width, float* out) {
    Mask<WIDTH> padded = {};
    for (int k = 0; k < width; ++k) padded.weight[WIDTH / 2 - width / 2 + k] = mask[k];

    conv1d_v4_fast<WIDTH><<<kit::ceil_div(n, kThreads), kThreads>>>(in, n, padded, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

cudaError_t conv1d_fast(const float* in, int n, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    auto* const kernel = width <= 5    ? launch<5>
                         : width <= 9  ? launch<9>
                         : width <= 15 ? launch<15>
                                       : launch<31>;
    kernel(in, n, mask, width, out);
    return cudaSuccess;
}

}  // namespace convolution
