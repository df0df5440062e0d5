// 03_memory_access/vectorized: 16-byte accesses, with ends that do not fit.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests vectorized.cu
//        ../../tests/03_memory_access/vectorized_test.cu -o vectorized
// Run:   ./vectorized
//
//   v6  plain_v6  one float per thread (given)
//   v7  wide_v7   like v6, but four floats at a time, and single floats at both ends

#include <algorithm>

#include "03_memory_access/03_memory_access.hpp"
#include "kit.cuh"

namespace memory_access {

// v6: 4 bytes per lane.
// Mapping : one thread per element.
// Cost    : 4 sectors per request, which is ideal; n / 32 requests each way.
// Requires: n may be ragged.
// Next    : do the same with a quarter of the requests; see v7.
// [v6]
__global__ void plain_v6(const float* in, std::size_t n, float factor, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}
// [/v6]

void scale_plain(const float* in, std::size_t n, float factor, float* out) {
    if (n == 0) return;
    auto blocks = static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock}));
    plain_v6<<<blocks, kBlock>>>(in, n, factor, out);
    CUDA_CHECK_LAUNCH();
}

// [head]
/// Returns the number of floats from p to the next multiple of 16 bytes: 0 to 3.
std::size_t floats_to_boundary(const float* p) {
    // TODO(1): Compute it from the address as a number, with reinterpret_cast<std::uintptr_t>. 2 lines.
    KIT_TODO(1, p);
    return 0;
}
// [/head]

// v7: like v6, but each thread processes four floats of the middle at a time.
// Mapping : thread i has the i-th group of four in the middle; the first threads also have an element of the head and the tail.
// Cost    : 16 sectors per request, which is ideal; n / 128 requests each way, and a few for the head and the tail.
// Requires: in + head and out + head are multiples of 16 bytes, and head <= n. At least 3 threads.
// Next    : issue several such loads per thread; see section 5 of lecture 02.
// [v7]
__global__ void wide_v7(const float* in, std::size_t n, float factor, float* out, std::size_t head) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    std::size_t fours = (n - head) / 4;
    std::size_t tail = n - head - 4 * fours;
    // TODO(2): Scale the middle: one float4 per thread, from in + head to out + head. About 8 lines.
    KIT_TODO(2, in, factor, out, i, fours);

    // TODO(3): Scale the `head` elements before the middle and the `tail` elements after it. 2 lines.
    KIT_TODO(3, in, factor, out, i, tail);
}
// [/v7]

// [launch]
void scale_wide(const float* in, std::size_t n, float factor, float* out) {
    if (n == 0) return;
    // TODO(4): Launch wide_v7 wherever its requirements can be met, and call scale_plain elsewhere. About 6 lines.
    KIT_TODO(4, in, n, factor, out);
}
// [/launch]

}  // namespace memory_access
