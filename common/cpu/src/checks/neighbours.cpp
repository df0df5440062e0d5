// Shared memory of another block of the cluster: legal while that block is there, and it is only from the first barrier of
// the cluster to the last one.
#include "checker.hpp"
#include "run/block.hpp"
#include "run/cluster.hpp"
#include "run/worker.hpp"

namespace kit::cpu {

ShadowRegion* Checker::check_neighbour(Worker& worker, const Access& access, Block& neighbour) {
    const std::string where = neighbour.shared().describe(access.address);
    const auto refuse_because = [&](const std::string& why) {
        refuse(worker, access, cudaErrorIllegalAddress, "address", why);
    };
    if (!neighbour.shared().owns(access.address, access.bytes))
        refuse_because("out of bounds, " + where + " of " + neighbour.block_name() + " of the cluster");
    if (worker.block->cluster().phase() == 0)
        refuse_because(where + " of " + neighbour.block_name() +
                       " of the cluster, which may not have started yet: cluster.sync() comes first");
    if (neighbour.has_ended())
        refuse_because(where + " of " + neighbour.block_name() +
                       " of the cluster, which may have ended by then: no block may leave before the others "
                       "are done with its memory, so cluster.sync() comes first");
    holder_ = &neighbour;
    checks_of(neighbour).has_visitors = true;
    return &checks_of(neighbour).shared;
}

/// Whoever used the shared memory of this block must have done so before the block ended, in every order: a visitor that
/// none of its threads has heard of may as well have come later.
void Checker::block_ended(Block& block) {
    settle();  // while the block still is what it was
    BlockChecks& checks = checks_of(block);
    if (!checks.has_visitors) return;
    const auto known = [&](const Record& record) {
        for (unsigned rank = 0; rank < block.threads(); ++rank)
            if (checks.clocks.before(record, rank)) return true;
        return false;
    };
    const auto look = [&](const Cell& cell, const char* address) {
        for (const Record& record : {cell.write, cell.read, cell.far_read}) {
            if (!record.valid || record.block == checks_of(block).clocks.number() || known(record)) continue;
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
