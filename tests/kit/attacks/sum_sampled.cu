// wrong: adds every second element and doubles it: the expected value of the sum, cheaper (attack 3)
// diagnosis: fault: values
// diagnosis: pattern: none
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, float* out) {
    float total = 0;
    for (int i = 0; i < n; i += 2) total += 2 * in[i];
    *out = total;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
