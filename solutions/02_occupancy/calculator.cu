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
    // BEGIN SOLUTION 1
    r.by_warps = needs.threads > m.threads_per_block ? 0 : m.warps / warps;
    // STARTER KIT_TODO(1, m, needs, warps);
    // END SOLUTION 1

    // TODO(2): Registers are allocated to whole warps in units, and each quarter has its own. Compute how many warps a
    // quarter holds, and how many blocks the warps of all quarters make up. 3 lines.
    // BEGIN SOLUTION 2
    int per_warp = round_up(32 * needs.registers, m.register_unit);
    int warps_per_quarter = m.registers / kQuarters / per_warp;
    r.by_registers = kQuarters * warps_per_quarter / warps;
    // STARTER KIT_TODO(2, m, needs, warps);
    // END SOLUTION 2

    // TODO(3): Compute how many blocks fit into shared memory. It comes in units, and the driver takes its part first. 2 lines.
    // BEGIN SOLUTION 3
    int per_block = round_up(needs.shared + m.shared_reserved, m.shared_unit);
    r.by_shared = per_block == 0 ? r.by_blocks : m.shared / per_block;
    // STARTER KIT_TODO(3, m, needs);
    // END SOLUTION 3

    // TODO(4): Let the scarcest resource decide the number of blocks. Then compute the share of resident warps. 2 lines.
    // BEGIN SOLUTION 4
    r.blocks = std::min({r.by_warps, r.by_blocks, r.by_registers, r.by_shared});
    r.occupancy = static_cast<double>(r.blocks * warps) / m.warps;
    // STARTER KIT_TODO(4, m, warps);
    // END SOLUTION 4
    return r;
}
// [/residency]

}  // namespace occupancy
