// 05_convolution/conv1d_basic: a convolution from its definition: guards, centre, ghosts.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv1d_basic.cu
//        ../../tests/05_convolution/conv1d_basic_test.cu -o conv1d_basic
// Run:   ./conv1d_basic
//
//   v1  conv1d_v1_basic: one thread per output; input and mask in global memory

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

// v1: the definition. Each thread loops over the mask and the elements under it.
// Mapping : one thread per output, one block per kBlock outputs.
// Cost    : 2 global reads and 1 multiply-add per mask element; the caches provide the reuse.
// Requires: 32-bit indices: n + width below 2^31.
// Next    : all threads read the same mask in the same order; see v2 in conv1d_constant.cu.
// [kernel]
__global__ void conv1d_v1_basic(const float* in, int n, const float* mask, int width, float* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;

    // TODO(1): The last block may have more threads than there are outputs. Let the surplus threads return. Then compute the
    // index of the element under mask[0] when the centre of the mask, element width / 2, is over element i. 2 lines.
    int first = 0;
    KIT_TODO(1, n, i, first);

    // TODO(2): Add up mask[k] * in[first + k]. A ghost, which is an element before the first or after the last, counts
    // as 0, and you must not read it. About 4 lines.
    float sum = 0;
    KIT_TODO(2, in, mask, width, sum);

    out[i] = sum;
}
// [/kernel]

void conv1d_basic(const float* in, int n, const float* mask, int width, float* out) {
    // TODO(3): Launch one thread per output, in blocks of kBlock. If n is 0, launch nothing. Check the launch.
    // 3 lines; kit::ceil_div helps.
    KIT_TODO(3, in, n, mask, width, out);
}

}  // namespace convolution
