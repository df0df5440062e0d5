// wrong: no guard, so it writes past the end of the array (attack 8)
// diagnosis: kind: out_of_bounds
// diagnosis: task: 1
// diagnosis.gpu: fault: written_after
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
