// wrong: An int divided by an int is an int: the occupancy is 0 or 1.
// diagnosis: occupancy is 0.000000
// diagnosis: (Task 4)

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

/// The next multiple of `unit`.
int round_up(int value, int unit) {
    return kit::ceil_div(value, unit) * unit;
}

// v1: what each resource allows, alone.
Residency residency(const Multiprocessor& m, const Needs& needs) {
    Residency r = {};
    r.by_blocks = m.blocks;
    int warps = kit::ceil_div(needs.threads, 32);  // of one block

    r.by_warps = needs.threads > m.threads_per_block ? 0 : m.warps / warps;

    int per_warp = round_up(32 * needs.registers, m.register_unit);
    int warps_per_quarter = m.registers / kQuarters / per_warp;
    r.by_registers = kQuarters * warps_per_quarter / warps;

    int per_block = round_up(needs.shared + m.shared_reserved, m.shared_unit);
    r.by_shared = per_block == 0 ? r.by_blocks : m.shared / per_block;

    r.blocks = std::min({r.by_warps, r.by_blocks, r.by_registers, r.by_shared});
    r.occupancy = r.blocks * warps / m.warps;
    return r;
}

}  // namespace occupancy
