// Computes the epochs of records that asynchronous copies leave.
#include "copy_clocks.hpp"

namespace kit::cpu {

void CopyClocks::start() {
    has_group_number_ = false;
    barriers_.clear();
    calls_.clear();
    begun_.clear();
}

/// Sets the epoch of a group's copy. Such an epoch has a high clock, because a barrier of the grid covers low
/// clocks of all blocks.
void CopyClocks::set_group_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers) {
    if (!has_group_number_) group_number_ = numbers.of_copies(record.block);
    has_group_number_ = true;
    if (!numbers.is_of_copies(group_number_))
        return;  // no number is left: the copy counts as an access of its thread
    record.block = group_number_;
    record.rank = copy.rank;
    record.clock = (most_clock - copy.group % (most_clock / 2)) & most_clock;
}

void CopyClocks::set_phase_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers,
                                 unsigned threads, unsigned later) {
    const auto found = barriers_.find(copy.barrier);
    const bool is_new = found == barriers_.end() || found->second.phases + 2 >= most_clock;
    PhaseClock& clock = barriers_[copy.barrier];
    if (is_new) {
        const auto rank = static_cast<std::uint32_t>((barriers_.size() - 1) % threads);
        if (rank == 0 || found != barriers_.end()) last_barrier_block_ = numbers.of_copies(record.block);
        clock = {last_barrier_block_, rank, 0};
    }
    if (!numbers.is_of_copies(clock.block)) return;
    record.block = clock.block & (most_blocks - 1);
    record.rank = clock.rank & 1023;
    record.clock = (clock.phases + later) & most_clock;
}

void CopyClocks::phase_ends(const void* barrier, Arrivals* arrivals) {
    const auto found = barriers_.find(barrier);
    if (found == barriers_.end()) return;
    PhaseClock& clock = found->second;
    ++clock.phases;
    if (arrivals) arrivals->note(clock.block, clock.rank, clock.phases);
}

/// Returns whether the copy ends with the current phase. A phase always waits for the bytes of bulk copies.
/// `number` is the current number of the block; records with an earlier number count as ordered.
bool CopyClocks::ends_with(const AsyncCopy& copy, const Arrivals* arrivals, std::uint32_t number) const {
    const auto found = begun_.find(copy.to);
    if (copy.bulk || !arrivals || found == begun_.end() || found->second.block != number) return true;
    return arrivals->covers(found->second);
}

const AsyncCopy* CopyClocks::short_of(const char* address) const {
    for (const auto& [to, copy] : calls_)
        if (address >= to + copy.whole && address < to + copy.whole * copy.element) return &copy;
    return nullptr;
}

}  // namespace kit::cpu
