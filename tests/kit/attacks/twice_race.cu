// wrong: no barrier between writing and reading shared memory; in one order of the threads it comes out right (attack 9)
// diagnosis: rule: race
// backends: cpu   a GPU may run the two halves in an order that is right every time
#include "attacks.hpp"
#include "kit.cuh"

namespace {

// Each thread takes over the element of its left neighbour in the block.
__global__ void twice_kernel(const float* in, int n, float* out) {
    __shared__ float tile[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    const int left = t == 0 ? 0 : t - 1;
    if (t == 0 && i < n) out[i] = 2 * in[i];
    if (t == 0 && i + 255 < n) out[i + 255] = 2 * in[i + 255];
    if (t > 0 && i - 1 < n) out[i - 1] = 2 * tile[left];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    twice_kernel<<<n / 256 + 1, 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
