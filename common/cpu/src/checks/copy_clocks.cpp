// Names for the records of copies.
#include "copy_clocks.hpp"

namespace kit::cpu {

void CopyClocks::start() {
    has_group_number_ = false;
    lines_.clear();
    calls_.clear();
    begun_.clear();
}

/// High clocks: a barrier of the grid covers low ones of other blocks.
void CopyClocks::name_of_group(Record& record, const AsyncCopy& copy, BlockNumbers& numbers) {
    if (!has_group_number_) group_number_ = numbers.of_copies(record.block);
    has_group_number_ = true;
    if (!numbers.is_of_copies(group_number_)) return;  // it counts as its thread's
    record.block = group_number_;
    record.rank = copy.rank;
    record.clock = (most_clock - copy.group % (most_clock / 2)) & most_clock;
}

void CopyClocks::name_of_phase(Record& record, const AsyncCopy& copy, BlockNumbers& numbers, unsigned threads,
                               unsigned later) {
    const auto found = lines_.find(copy.barrier);
    const bool is_new = found == lines_.end() || found->second.phases + 2 >= most_clock;
    Line& line = lines_[copy.barrier];
    if (is_new) {
        const auto rank = static_cast<std::uint32_t>((lines_.size() - 1) % threads);
        if (rank == 0 || found != lines_.end()) last_line_block_ = numbers.of_copies(record.block);
        line = {last_line_block_, rank, 0};
    }
    if (!numbers.is_of_copies(line.block)) return;
    record.block = line.block & (most_blocks - 1);
    record.rank = line.rank & 1023;
    record.clock = (line.phases + later) & most_clock;
}

void CopyClocks::phase_ends(const void* barrier, Arrivals* arrivals) {
    const auto found = lines_.find(barrier);
    if (found == lines_.end()) return;
    Line& line = found->second;
    ++line.phases;
    if (arrivals) arrivals->note(line.block, line.rank, line.phases);
}

/// `number` is the block's: what was recorded under an earlier one counts as ordered. A phase waits for the bytes of bulk copies.
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
