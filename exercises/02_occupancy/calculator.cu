// 02_occupancy/calculator: how many blocks fit on a multiprocessor, by hand.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests calculator.cu
//        ../../tests/02_occupancy/calculator_test.cu -o calculator
// Run:   ./calculator
//
//   v1  residency: four limits, and the smallest of them counts

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

/// Returns the next multiple of `unit`.
int round_up(int value, int unit) {
    return kit::ceil_div(value, unit) * unit;
}

// v1: computes the number of blocks that each resource allows alone.
// [residency]
Residency residency(const Multiprocessor& m, const Needs& needs) {
    Residency r = {};
    r.by_blocks = m.blocks;
    int warps = kit::ceil_div(needs.threads, 32);  // warps of one block

    // TODO(1): Compute how many blocks fit if only warps count. A block that is too large does not fit at all. 1 line.
    KIT_TODO(1, m, needs, warps);

    // TODO(2): Registers are allocated to whole warps in units, and each quarter has its own. Compute how many warps a
    // quarter holds, and how many blocks the warps of all quarters make up. 3 lines.
    KIT_TODO(2, m, needs, warps);

    // TODO(3): Compute how many blocks fit into shared memory. It comes in units, and the driver takes its part first. 2 lines.
    KIT_TODO(3, m, needs);

    // TODO(4): Let the scarcest resource decide the number of blocks. Then compute the share of resident warps. 2 lines.
    KIT_TODO(4, m, warps);
    return r;
}
// [/residency]

}  // namespace occupancy
