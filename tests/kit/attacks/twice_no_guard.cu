// wrong: no guard; what lies behind the array is somebody else's (attack 8)
// diagnosis: after the end of `
// diagnosis.gpu: out of bounds: wrote
// diagnosis: see Task 1 in tests/kit
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 0) out[i] = 2 * in[i];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    twice_kernel<<<kit::ceil_div(n, 256), 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
