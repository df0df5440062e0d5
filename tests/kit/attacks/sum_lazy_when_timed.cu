// wrong: does the work once per set of arguments and nothing when it is timed with them again (attacks 11 and 15)
// diagnosis: right when called once, wrong when timed
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, float* out) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    *out = total;
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    static const float* last_in = nullptr;
    static int last_n = -1;
    if (in == last_in && n == last_n) return;
    last_in = in;
    last_n = n;
    sum_kernel<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
