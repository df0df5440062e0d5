// 19_roofline/remedy: locates a kernel under the roofs, selects a remedy, and implements one of the remedies.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests remedy.cu
//        ../../tests/19_roofline/remedy_test.cu -o remedy
// Run:   ./remedy
//
//   v5  add_scale_v5  floats: 12 bytes per element (given)
//   v6  halves_v6     like v5, but 2 bytes per number in memory, and floats in registers

#include <algorithm>

#include "19_roofline/19_roofline.hpp"
#include "kit.cuh"

namespace roofline {

// [place]
Place place(const Machine& machine, const Sample& sample) {
    // TODO(1): Compute the fraction of each roof that the kernel reaches, and decide from the two. About 4 lines.
    KIT_TODO(1, machine, sample);
    return Place::below_both;
}
// [/place]

// [remedy]
Remedy remedy(const Machine& machine, const Sample& sample) {
    // TODO(2): Return one remedy per place. About 5 lines.
    KIT_TODO(2, machine, sample);
    return Remedy::more_in_flight;
}

double headroom(const Machine& machine, const Sample& sample) {
    // TODO(3): Compute the shortest time that both roofs allow, and return how many times as long the kernel took. About 2 lines.
    KIT_TODO(3, machine, sample);
    return 0;
}
// [/remedy]

// v5: each thread reads one float from each array.
// Mapping : one thread per element.
// Cost    : 12 bytes per element.
// Requires: n may be ragged.
// Next    : half the bytes; see v6.
// [v5]
__global__ void add_scale_v5(const float* x, const float* y, std::size_t n, float a, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
// [/v5]

void add_scale_floats(const float* x, const float* y, std::size_t n, float a, float* out) {
    if (n == 0) return;
    add_scale_v5<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock})), kBlock>>>(x, y, n, a,
                                                                                               out);
    CUDA_CHECK_LAUNCH();
}

// v6: like v5, but a number has 2 bytes in memory. Each thread computes two, so that a load still has 4 bytes.
// Mapping : thread i computes elements 2 i and 2 i + 1; if n is odd, the last element is alone.
// Cost    : 6 bytes per element.
// Requires: x, y and out start at a multiple of 4 bytes.
// Next    : 8 or 16 bytes per load, as in lecture 03.
// [v6]
__global__ void halves_v6(const __half* x, const __half* y, std::size_t n, float a, __half* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    // TODO(4): Compute a pair: load two __half2, convert to float2, compute, convert back, and store. About 6 lines.
    KIT_TODO(4, x, y, n, a, out, i);
    // TODO(5): Compute the last element, if it has no partner. About 2 lines.
    KIT_TODO(5, x, y, n, a, out, i);
}
// [/v6]

void add_scale_halves(const __half* x, const __half* y, std::size_t n, float a, __half* out) {
    if (n == 0) return;
    std::size_t pairs = kit::ceil_div(n, std::size_t{2});
    halves_v6<<<static_cast<unsigned int>(kit::ceil_div(pairs, std::size_t{kBlock})), kBlock>>>(x, y, n, a,
                                                                                                out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace roofline
