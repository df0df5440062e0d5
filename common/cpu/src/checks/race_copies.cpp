// Races of asynchronous copies. A copy may access its bytes at any time between its start and the end of a
// wait for it. Accesses before the start of a copy are compared with the copy as with an access by its
// thread. The records that the copy leaves have epochs that no vector clock covers.
#include <algorithm>
#include <cstring>

#include "race_check.hpp"

namespace kit::cpu {
namespace {

bool same(const Record& a, const Record& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

struct Side {
    const char* begin;
    std::size_t bytes;
};
Side side_of(const AsyncCopy& copy, bool write) {
    return {write ? copy.to : copy.from, write ? copy.bytes + copy.zeros : copy.bytes};
}

}  // namespace

void RaceCheck::replace(ShadowRegion& region, WorkId id, const char* begin, std::size_t bytes,
                        const Record& from, const Record& to) {
    const auto in_cell = [&](Cell& cell) {
        if (cell.write_work == id && same(cell.write, from)) cell.write = to;
        if (cell.read_work == id && same(cell.read, from)) cell.read = to;
        if (cell.far_work == id && same(cell.far_read, from)) cell.far_read = to;
    };
    for (const char* address = begin; address < begin + bytes;) {
        const auto in_word = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % 4);
        const auto here =
            static_cast<unsigned>(std::min<std::ptrdiff_t>(4 - in_word, begin + bytes - address));
        Cell& word = region.word(address);
        if (word.state() == State::whole) {
            in_cell(word);
        } else {
            Cell* const cells = region.bytes(address);
            for (unsigned i = 0; i < here; ++i) in_cell(cells[in_word + i]);
        }
        address += here;
    }
}

bool RaceCheck::is_copy(const Record& record, WorkId made_by) const {
    const auto& numbers = work_.item(made_by).numbers;
    return numbers && numbers->is_of_copies(record.block);
}

WorkId RaceCheck::work_of(const Target& target) const {
    return target.is_shared() ? checks_of(*target.holder).shared_id : work_.current();
}

/// Returns a record of an access that the thread makes now.
Record RaceCheck::record_of(const Block& block, unsigned rank, Place place, bool write) {
    const BlockClocks& clocks = checks_of(block).clocks;
    Record record{};
    record.valid = 1;
    record.write = write;
    record.scope = static_cast<unsigned>(Scope::device);
    record.block = clocks.number() & (most_blocks - 1);
    record.rank = rank & 1023;
    record.clock = std::min(clocks.clock(rank), most_clock) & most_clock;
    record.site = sites_.number(place) & (most_sites - 1);
    return record;
}

/// Checks the bytes that a copy reads or writes, which have not been written yet.
void RaceCheck::check_bytes(const Block& block, const Target& target, const char* begin, std::size_t bytes,
                            const Record& record) {
    Access access;
    access.write = record.write;
    const CheckedAccess checked{
        &block, checks_of(block).clocks, record, work_of(target), target.is_shared() ? nullptr : &work_,
        true};
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < bytes; i += most) {
        access.address = begin + i;
        access.bytes = static_cast<unsigned>(std::min(most, bytes - i));
        check_cells(*target.region, checked, access);
    }
}

void RaceCheck::copy_begins(const Block& block, const AsyncCopy& copy, const Target& target, bool write) {
    BlockChecks& checks = checks_of(block);
    const Record as_thread = record_of(block, copy.rank, copy.place, write);
    if (copy.barrier) checks.copies.begins(copy, as_thread);
    sites_.note_copy(as_thread.site);
    const auto [begin, bytes] = side_of(copy, write);
    const WorkId id = work_of(target);
    check_bytes(block, target, begin, bytes, as_thread);
    Record in_flight = as_thread;
    if (copy.barrier)
        checks.copies.set_phase_epoch(in_flight, copy, *numbers_, block.threads(), 0);
    else
        checks.copies.set_group_epoch(in_flight, copy, *numbers_);
    replace(*target.region, id, begin, bytes, as_thread, in_flight);
}

/// Ends a copy. If a thread has waited for the copy's group, the copy counts as an access by that thread. If
/// the copy ends with a phase of a barrier, the arrivals in the phase cover the copy. If another order of
/// threads could have moved it to the next phase, it counts as a copy of the next phase.
void RaceCheck::copy_landed(const Block& block, const AsyncCopy& copy, const Target& target, bool write) {
    if (copy.barrier) {
        BlockChecks& checks = checks_of(block);
        if (!checks.copies.ends_with(copy, checks.barriers.now(copy.barrier), checks.clocks.number()))
            copy_stays(block, copy, target, write);
        return;
    }
    const auto [begin, bytes] = side_of(copy, write);
    const Record as_thread = record_of(block, copy.rank, copy.place, write);
    Record in_flight = as_thread;
    checks_of(block).copies.set_group_epoch(in_flight, copy, *numbers_);
    replace(*target.region, work_of(target), begin, bytes, in_flight, as_thread);
}

/// Moves the copy to the next phase, because it does not end with the current phase.
void RaceCheck::copy_stays(const Block& block, const AsyncCopy& copy, const Target& target, bool write) {
    BlockChecks& checks = checks_of(block);
    const auto [begin, bytes] = side_of(copy, write);
    Record now = record_of(block, copy.rank, copy.place, write), later = now;
    checks.copies.set_phase_epoch(now, copy, *numbers_, block.threads(), 0);
    checks.copies.set_phase_epoch(later, copy, *numbers_, block.threads(), 1);
    replace(*target.region, work_of(target), begin, bytes, now, later);
}

}  // namespace kit::cpu
