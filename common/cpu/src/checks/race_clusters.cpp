// Checks accesses to a block's shared memory by other blocks of its cluster, which must happen before the end
// of the block.
#include "race_check.hpp"

namespace kit::cpu {

/// Checks the accesses of other blocks when a block ends. Each must happen before the last step of some
/// thread of the block; otherwise, it could also happen after the end of the block.
void RaceCheck::block_ended(const Block& block) {
    BlockChecks& checks = checks_of(block);
    if (work_.any()) {
        VectorClock kernels;
        checks.clocks.add_kernels_to(kernels);
        if (!kernels.kernels.empty()) work_.acquire(kernels);
    }
    if (!checks.used_by_cluster) return;
    const auto happens_before = [&](const Record& record) {
        for (unsigned rank = 0; rank < block.threads(); ++rank)
            if (checks.clocks.happens_before(record, rank)) return true;
        return false;
    };
    const auto look = [&](const Cell& cell, const char* address) {
        for (const Record& record : {cell.write, cell.read, cell.far_read}) {
            if (!record.valid || record.block == checks_of(block).clocks.number() || happens_before(record))
                continue;
            if (numbers_->is_of_copies(record.block)) continue;
            mistakes_.outlived(block, address, {&work_.item(work_.current()), record});
        }
    };
    const char* const end = block.shared().begin() + block.shared().extent();
    for (const char* address = block.shared().begin(); address < end; address += 4) {
        const Cell& word = checks.shared.word(address);
        if (!word.only(checks.shared_id)) continue;
        if (word.state() == State::whole) {
            look(word, address);
            continue;
        }
        const Cell* const bytes = checks.shared.bytes(address);
        for (unsigned i = 0; i < 4; ++i)
            if (bytes[i].only(checks.shared_id)) look(bytes[i], address + i);
    }
}

}  // namespace kit::cpu
