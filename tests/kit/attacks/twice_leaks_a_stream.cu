// wrong: each call makes a stream that is never destroyed
// diagnosis: rule: left_stream
// backends: cpu   the leak is seen by the executor
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    twice_kernel<<<n / 256 + 1, 256, 0, stream>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaStreamSynchronize(stream));
}
