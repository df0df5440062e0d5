// wrong: no barrier between writing and reading shared memory, and three tries to switch the executor's checks off (attack 9)
// diagnosis: rule: race
// backends: cpu   there are no such checks on a GPU
#include <cstdlib>

#include "attacks.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

bool switch_checks_off() {
    setenv("KIT_CHECKS", "0", 1);
#ifdef KIT_CPU
    kit::cpu::run_unchecked();
#endif
    return true;
}

const bool before_main = switch_checks_off();

// The second thread of a pair writes for both.
__global__ void twice_kernel(const float* in, int n, float* out) {
    __shared__ float tile[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    if (t % 2 == 0) return;
    if (i - 1 < n) out[i - 1] = 2 * tile[t - 1];
    if (i < n) out[i] = 2 * tile[t];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    if (before_main) switch_checks_off();
    twice_kernel<<<n / 256 + 1, 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
