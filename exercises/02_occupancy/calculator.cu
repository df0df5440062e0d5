// 02_occupancy/calculator: how many blocks a multiprocessor holds, computed by hand.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests calculator.cu
//        ../../tests/02_occupancy/calculator_test.cu -o calculator
// Run:   ./calculator
//
//   v1  residency: four limits, and the least of them counts

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

/// The next multiple of `unit`.
int round_up(int value, int unit) {
    return kit::ceil_div(value, unit) * unit;
}

// v1: what each resource allows, alone.
// [residency]
Residency residency(const Multiprocessor& m, const Needs& needs) {
    Residency r = {};
    r.by_blocks = m.blocks;
    int warps = kit::ceil_div(needs.threads, 32);  // of one block

    // TODO(1): As many blocks as there is room for their warps; none of blocks that are too large. 1 line.
    KIT_TODO(1, m, needs, warps);

    // TODO(2): Registers are given to whole warps in units, and each quarter has its own. How many warps does a
    // quarter hold, and how many blocks do the warps of all quarters make? 3 lines.
    KIT_TODO(2, m, needs, warps);

    // TODO(3): Shared memory is given to blocks in units, and the driver takes its part first. 2 lines.
    KIT_TODO(3, m, needs);

    // TODO(4): The scarcest resource decides. How many of the warps that fit are there then? 2 lines.
    KIT_TODO(4, m, warps);
    return r;
}
// [/residency]

}  // namespace occupancy
