// A correct but slow solution: it must pass.
#include "attacks.hpp"
#include "kit.cuh"
#include "slow_sum.cuh"

void attack::sum(const float* in, int n, float* out) {
    slow_sum<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
