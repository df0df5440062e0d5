// 12_l2_cache/annotated_sweep: a kernel whose scratch array never reaches memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests annotated_sweep.cu
//        ../../tests/12_l2_cache/annotated_sweep_test.cu -o annotated_sweep
// Run:   ./annotated_sweep
//
//   v2  sweep_v2_plain: up and down in one kernel, one thread per column
//   v3  sweep_v3_annotated: data used once streams; the scratch array persists and is discarded line by line

#include <cuda/annotated_ptr>

#include "12_l2_cache/12_l2_cache.hpp"
#include "kit.cuh"

namespace l2_cache {
namespace {

constexpr int kBlock = 128;

}  // namespace

// v2: both sweeps, with the value of the previous plane in a register. No thread needs a value of another thread.
// Mapping : one thread per column, so a warp touches one line of each plane.
// Cost    : 4 accesses per element; the scratch array is written to memory, and perhaps read from there again.
// Requires: nothing; the last warp may be ragged.
// Next    : no code reads the scratch array afterwards, so it need not reach memory; see v3.
// [sweep_v2_plain]
__global__ void sweep_v2_plain(const float* in, float* scratch, float* out, Stack stack, float a) {
    int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= stack.columns) return;
    float value = 0.0f;
    for (int z = 0; z < stack.planes; ++z) {
        std::size_t i = std::size_t(z) * stack.pitch + x;
        value = in[i] + a * value;
        scratch[i] = value;
    }
    value = 0.0f;
    for (int z = stack.planes - 1; z >= 0; --z) {
        std::size_t i = std::size_t(z) * stack.pitch + x;
        value = scratch[i] + a * value;
        out[i] = value;
    }
}
// [/sweep_v2_plain]

void plain_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a) {
    if (stack.planes == 0) return;
    sweep_v2_plain<<<kit::ceil_div(stack.columns, kBlock), kBlock>>>(in, scratch, out, stack, a);
    CUDA_CHECK_LAUNCH();
}

// v3: like v2, but every access states how long its line will be useful.
// Mapping : as in v2. Lanes without a column stay, because the whole warp synchronizes before a line is discarded.
// Cost    : as in v2, but only the part of the scratch array that does not fit into the cache reaches memory.
// Requires: each line begins at the first column of a warp, so kBlock and the pitch are multiples of 32.
// [sweep_v3_annotated]
__global__ void sweep_v3_annotated(const float* in, float* scratch, float* out, Stack stack, float a) {
    static_assert(kBlock % kLine == 0, "a line of the scratch array must belong to one warp");
    using cuda::access_property;
    int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    bool has_column = x < stack.columns;
    // TODO(1): Declare annotated pointers to the three arrays, each with the property that fits its accesses. 3 lines.
    KIT_TODO(1, in, scratch, out);

    // TODO(2): Write the sweep up, with these pointers. 5 lines.
    float value = 0.0f;
    KIT_TODO(2, value, a, has_column);

    // TODO(3): Write the sweep down. After all lanes of the warp have read a line, let one of them discard it. 10 lines.
    KIT_TODO(3, value, a, has_column);
}
// [/sweep_v3_annotated]

void annotated_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a) {
    if (stack.planes == 0) return;
    sweep_v3_annotated<<<kit::ceil_div(stack.columns, kBlock), kBlock>>>(in, scratch, out, stack, a);
    CUDA_CHECK_LAUNCH();
}

}  // namespace l2_cache
