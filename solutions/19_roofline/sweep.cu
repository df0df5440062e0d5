// 19_roofline/sweep: a kernel with any intensity, and the roofs from its times.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests sweep.cu
//        ../../tests/19_roofline/sweep_test.cu -o sweep
// Run:   ./sweep
//
//   v7  chain_v7  the number of operations per element is a parameter

#include <algorithm>
#include <cmath>

#include "19_roofline/19_roofline.hpp"
#include "kit.cuh"

namespace roofline {

// v7: each thread applies the same step to its element again and again.
// Mapping : one thread per element.
// Cost    : the bytes do not depend on the number of steps, but the operations do.
// Requires: n may be ragged.
// Next    : measure it with more and more steps, and its limit changes from one roof to the other.
// [v7]
__global__ void chain_v7(const float* in, std::size_t n, float a, float b, int steps, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    // TODO(1): Apply x = a * x + b `steps` times to element i, and store the result. About 4 lines.
    // BEGIN SOLUTION 1
    if (i >= n) return;
    float x = in[i];
    for (int k = 0; k < steps; ++k) x = a * x + b;
    out[i] = x;
    // STARTER KIT_TODO(1, in, n, a, b, steps, out, i);
    // END SOLUTION 1
}
// [/v7]

void chain(const float* in, std::size_t n, float a, float b, int steps, float* out) {
    if (n == 0) return;
    auto blocks = static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock}));
    chain_v7<<<blocks, kBlock>>>(in, n, a, b, steps, out);
    CUDA_CHECK_LAUNCH();
}

// [steps]
int steps_for(double intensity) {
    // TODO(2): Derive the number of steps from the operations and the bytes of one element. About 1 line.
    // BEGIN SOLUTION 2
    return static_cast<int>(std::ceil(intensity * 8 / 2));  // 2 operations per step; 4 bytes in, 4 bytes out
    // STARTER KIT_TODO(2, intensity);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/steps]

// [roofs]
Machine roofs_of(const std::vector<Run>& runs) {
    Machine best = {0, 0};
    // TODO(3): Estimate both roofs from the rates of the runs. About 5 lines.
    // BEGIN SOLUTION 3
    for (const Run& run : runs) {
        double per_ns = static_cast<double>(run.n) / run.seconds * 1e-9;
        best.gb_per_s = std::max(best.gb_per_s, 8 * per_ns);
        best.gflop_per_s = std::max(best.gflop_per_s, 2 * run.steps * per_ns);
    }
    // STARTER KIT_TODO(3, runs, best);
    // END SOLUTION 3
    return best;
}

int free_steps(const std::vector<Run>& runs) {
    int most = 0;
    // TODO(4): Find the largest number of steps that costs no time. About 3 lines.
    // BEGIN SOLUTION 4
    double needed = 0.9 * roofs_of(runs).gb_per_s;
    for (const Run& run : runs)
        if (8e-9 * static_cast<double>(run.n) / run.seconds >= needed) most = std::max(most, run.steps);
    // STARTER KIT_TODO(4, runs, most);
    // END SOLUTION 4
    return most;
}
// [/roofs]

}  // namespace roofline
