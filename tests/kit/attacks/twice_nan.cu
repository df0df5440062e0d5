// wrong: NaN compares as different from everything, so a careless comparison lets it pass (attack 1)
// diagnosis: pattern: not_finite
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i] / (in[i] - in[i]) - 2 * in[i] / (in[i] - in[i]);
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    twice_kernel<<<kit::ceil_div(n, 256), 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
