// wrong: adds to a total that is never cleared, so only the first call is correct (attack 10)
// diagnosis: pattern: at_later_call
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__device__ float total;

__global__ void sum_kernel(const float* in, int n, float* out) {
    for (int i = 0; i < n; ++i) total += in[i];
    *out = total;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
