// wrong: one bad address in one case; it must not fail the cases after it (attack 23)
// diagnosis: case: n=256
// diagnosis: failed: 1
// diagnosis.gpu: error: cudaErrorIllegalAddress
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, float* out) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    if (n == 256)
        out = reinterpret_cast<float*>(16);  // a null pointer the compiler may take for unreachable code
    *out = total;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
