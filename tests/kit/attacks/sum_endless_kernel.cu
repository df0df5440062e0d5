// wrong: a kernel that never ends (attack 23)
// diagnosis.gpu: fault: late
// diagnosis.cpu: rule: endless_kernel
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, volatile float* out) {
    *out = in[0];
    while (n > 0) {
        if (*out == 12345.0f) return;
    }
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK(cudaDeviceSynchronize());
}
