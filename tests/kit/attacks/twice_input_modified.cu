// wrong: works in place, so that a reference computed later from the input agrees (attack 7)
// diagnosis: fault: input_modified
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = const_cast<float*>(in)[i] *= 2;
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    twice_kernel<<<kit::ceil_div(n, 256), 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
