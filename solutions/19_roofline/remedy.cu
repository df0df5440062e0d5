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
    // BEGIN SOLUTION 1
    double of_memory = sample.bytes / sample.seconds / 1e9 / machine.gb_per_s;
    double of_compute = sample.flops / sample.seconds / 1e9 / machine.gflop_per_s;
    if (std::max(of_memory, of_compute) < kReached) return Place::below_both;
    return of_memory >= of_compute ? Place::memory_roof : Place::compute_roof;
    // STARTER KIT_TODO(1, machine, sample);
    // STARTER return Place::below_both;
    // END SOLUTION 1
}
// [/place]

// [remedy]
Remedy remedy(const Machine& machine, const Sample& sample) {
    // TODO(2): Return one remedy per place. About 5 lines.
    // BEGIN SOLUTION 2
    switch (place(machine, sample)) {
        case Place::memory_roof:
            return Remedy::fewer_bytes;
        case Place::compute_roof:
            return Remedy::fewer_operations;
        case Place::below_both:
            break;
    }
    return Remedy::more_in_flight;
    // STARTER KIT_TODO(2, machine, sample);
    // STARTER return Remedy::more_in_flight;
    // END SOLUTION 2
}

double headroom(const Machine& machine, const Sample& sample) {
    // TODO(3): Compute the shortest time that both roofs allow, and return how many times as long the kernel took. About 2 lines.
    // BEGIN SOLUTION 3
    double shortest =
        std::max(sample.bytes / (machine.gb_per_s * 1e9), sample.flops / (machine.gflop_per_s * 1e9));
    return sample.seconds / shortest;
    // STARTER KIT_TODO(3, machine, sample);
    // STARTER return 0;
    // END SOLUTION 3
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
    // BEGIN SOLUTION 4
    if (2 * i + 1 < n) {
        float2 u = __half22float2(reinterpret_cast<const __half2*>(x)[i]);
        float2 v = __half22float2(reinterpret_cast<const __half2*>(y)[i]);
        reinterpret_cast<__half2*>(out)[i] = __floats2half2_rn(a * u.x + v.x, a * u.y + v.y);
    }
    // STARTER KIT_TODO(4, x, y, n, a, out, i);
    // END SOLUTION 4
    // TODO(5): Compute the last element, if it has no partner. About 2 lines.
    // BEGIN SOLUTION 5
    if (2 * i + 1 == n) out[2 * i] = __float2half(a * __half2float(x[2 * i]) + __half2float(y[2 * i]));
    // STARTER KIT_TODO(5, x, y, n, a, out, i);
    // END SOLUTION 5
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
