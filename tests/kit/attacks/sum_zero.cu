// wrong: zero, which a tolerance relative to the largest value might accept (attack 3)
// diagnosis: the result is 0
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, float* out) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    *out = 0 * total;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
