// wrong: zero, which a tolerance relative to the largest value might accept (attack 3)
// diagnosis: pattern: zero
#include "attacks.hpp"
#include "kit.cuh"
#include "slow_sum.cuh"

void attack::sum(const float* in, int n, float* out) {
    slow_sum<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemset(out, 0, sizeof *out));
}
