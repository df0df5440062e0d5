// 19_roofline/remedy: what limits a kernel, what helps, and halves for floats.
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

// [times]
Times at_peak(const Device& device, const Sample& sample) {
    // TODO(1): Compute the three times, in seconds. About 2 lines.
    // BEGIN SOLUTION 1
    return {sample.bytes / (device.machine.gb_per_s * 1e9), sample.flops / (device.machine.gflop_per_s * 1e9),
            sample.shared_bytes / (device.shared_gb_per_s * 1e9)};
    // STARTER KIT_TODO(1, device, sample);
    // STARTER return {};
    // END SOLUTION 1
}

double headroom(const Device& device, const Sample& sample) {
    Times times = at_peak(device, sample);
    // TODO(2): Return the largest possible speedup. About 1 line.
    // BEGIN SOLUTION 2
    return sample.seconds / std::max({times.memory, times.compute, times.shared});
    // STARTER KIT_TODO(2, times);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/times]

// [remedy]
Remedy remedy(const Device& device, const Sample& sample) {
    Times times = at_peak(device, sample);
    // TODO(3): Find out what limits the kernel, and return the remedy for it. About 8 lines.
    // BEGIN SOLUTION 3
    double busiest = std::max({times.memory, times.compute, times.shared});
    if (busiest >= kReached * sample.seconds) {
        if (busiest == times.memory) return Remedy::fewer_bytes;
        return busiest == times.compute ? Remedy::fewer_operations : Remedy::registers;
    }
    // Little's law: the bytes in flight are the rate times the latency. 1 GB/s is 1 byte per ns.
    double needed = device.machine.gb_per_s * device.latency_ns;
    return sample.in_flight < kReached * needed ? Remedy::more_in_flight : Remedy::fewer_waits;
    // STARTER KIT_TODO(3, times);
    // STARTER return Remedy::fewer_waits;
    // END SOLUTION 3
}

double useful_cut(const Device& device, const Sample& sample) {
    Times times = at_peak(device, sample);
    // TODO(4): Return the factor at which fewer bytes stop helping. About 1 line.
    // BEGIN SOLUTION 4
    return std::max(1.0, times.memory / std::max(times.compute, times.shared));
    // STARTER KIT_TODO(4, times);
    // STARTER return 0;
    // END SOLUTION 4
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
    // TODO(5): Compute a pair: load two __half2, convert to float2, compute, convert back, and store. About 5 lines.
    // BEGIN SOLUTION 5
    if (2 * i + 1 < n) {
        float2 u = __half22float2(reinterpret_cast<const __half2*>(x)[i]);
        float2 v = __half22float2(reinterpret_cast<const __half2*>(y)[i]);
        reinterpret_cast<__half2*>(out)[i] = __floats2half2_rn(a * u.x + v.x, a * u.y + v.y);
    }
    // STARTER KIT_TODO(5, x, y, n, a, out, i);
    // END SOLUTION 5
    // TODO(6): Compute the last element, if it has no partner. About 1 line.
    // BEGIN SOLUTION 6
    if (2 * i + 1 == n) out[2 * i] = __float2half(a * __half2float(x[2 * i]) + __half2float(y[2 * i]));
    // STARTER KIT_TODO(6, x, y, n, a, out, i);
    // END SOLUTION 6
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
