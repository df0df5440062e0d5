// wrong: a launch that fails, without a check of the error
// diagnosis: kind: cuda_error
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(float* out) {
    *out = 0;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    sum_kernel<<<1, 2048>>>(out);
}
