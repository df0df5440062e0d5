// wrong: the same launch, checked: the program ends with the error, and that is the verdict
// diagnosis: fault: printed_error
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
    CUDA_CHECK_LAUNCH();
}
