// wrong: right for one size that everybody tests, and blind for the others (attack 6)
// diagnosis: pattern: never_written
// diagnosis: failed: 4
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n == 256) out[i] = 2 * in[i];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    twice_kernel<<<kit::ceil_div(n, 256), 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
