// Shared memory that other blocks of the cluster have used: were they done with it when its block ended?
#include "race_check.hpp"

namespace kit::cpu {

/// Whoever used the shared memory of this block must have done so before the block ended, in every order: a visitor that
/// none of its threads has heard of may as well have come later.
void RaceCheck::block_ended(const Block& block) {
    BlockChecks& checks = checks_of(block);
    if (strangers_.any()) {
        Knowledge kernels;
        checks.clocks.tell_kernels(kernels);
        if (!kernels.kernels.empty()) strangers_.heard(kernels);
    }
    if (!checks.has_visitors) return;
    const auto known = [&](const Record& record) {
        for (unsigned rank = 0; rank < block.threads(); ++rank)
            if (checks.clocks.before(record, rank)) return true;
        return false;
    };
    const auto look = [&](const Cell& cell, const char* address) {
        for (const Record& record : {cell.write, cell.read, cell.far_read}) {
            if (!record.valid || record.block == checks_of(block).clocks.number() || known(record)) continue;
            if (numbers_->is_of_copies(record.block)) continue;
            mistakes_.outlived(block, address, {&strangers_.actor(strangers_.current()), record});
        }
    };
    const char* const end = block.shared().begin() + block.shared().extent();
    for (const char* address = block.shared().begin(); address < end; address += 4) {
        const Cell& word = checks.shared.word(address);
        if (!word.only(checks.owner)) continue;
        if (word.state() == State::whole) {
            look(word, address);
            continue;
        }
        const Cell* const bytes = checks.shared.bytes(address);
        for (unsigned i = 0; i < 4; ++i)
            if (bytes[i].only(checks.owner)) look(bytes[i], address + i);
    }
}

}  // namespace kit::cpu
