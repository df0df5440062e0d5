// Decides whether two accesses race, and which records to keep in a cell.
#include "race.hpp"

namespace kit::cpu {
namespace {

bool reaches(const Record& from, const Record& to) {
    return from.scope != static_cast<unsigned>(Scope::block) || from.block == to.block;
}

bool same_thread(const Record& a, const Record& b) {
    return a.block == b.block && a.rank == b.rank;
}

/// Returns whether two accesses race. Two accesses do not race if the same thread makes both, if both are
/// atomics of the same size whose scopes include each other, or if the earlier access happens before the
/// later one.
bool races(const Record& earlier, const Record& now, const BlockClocks& clocks, const Sites& sites) {
    if (!earlier.valid || same_thread(earlier, now)) return false;
    if (earlier.atomic && now.atomic && reaches(earlier, now) && reaches(now, earlier) &&
        sites.of_one_size(earlier.site, now.site))
        return false;
    return !clocks.happens_before(earlier, now.rank, now.write);
}

/// Replaces a read that happens before this read. A later write that is ordered after this read is also
/// ordered after the replaced one.
void keep_reader(Cell& cell, const Record& now, const BlockClocks& clocks) {
    if (!cell.read.valid || same_thread(cell.read, now) || clocks.happens_before(cell.read, now.rank)) {
        cell.read = now;
        if (cell.far_read.valid && clocks.happens_before(cell.far_read, now.rank)) cell.far_read.valid = 0;
    } else if (!cell.far_read.valid || clocks.happens_before(cell.far_read, now.rank) ||
               distance(cell.read, now) > distance(cell.read, cell.far_read)) {
        cell.far_read = now;
    }
}

/// Moves an earlier record to the readers' places if this atomic does not order it. An atomic update is not
/// ordered with the next update, so it must not replace an earlier update, with which a plain access may
/// still race, or a plain write, with which another update may race. The same is true for an update of a
/// different size, even by the same thread.
void keep_uncovered(Cell& cell, const Record& before, const Record& now, const BlockClocks& clocks,
                    const Sites& sites) {
    const auto covered = [&](const Record& record) {
        return !record.valid ||
               ((record.atomic || !record.write) && clocks.happens_before(record, now.rank) &&
                sites.of_one_size(record.site, now.site));
    };
    if (covered(cell.read)) cell.read = Record{};
    if (covered(cell.far_read)) cell.far_read = Record{};
    if (covered(before)) return;
    if (!cell.read.valid) {
        cell.read = before;
    } else if (!cell.far_read.valid || (!before.atomic && cell.far_read.atomic) ||
               distance(cell.read, before) > distance(cell.read, cell.far_read)) {
        cell.far_read = before;
    }
}

}  // namespace

Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks, const Sites& sites) {
    Record found{};
    if (races(cell.write, now, clocks, sites)) found = cell.write;
    if (now.write) {
        if (races(cell.read, now, clocks, sites)) found = cell.read;
        if (races(cell.far_read, now, clocks, sites)) found = cell.far_read;
        const Record before = cell.write;
        cell.write = now;
        // This write replaces reads that happen before it.
        if (found.valid) return found;
        if (now.atomic) {
            keep_uncovered(cell, before, now, clocks, sites);
        } else {
            cell.read = Record{};
            cell.far_read = Record{};
        }
    } else {
        if (cell.read.write && races(cell.read, now, clocks, sites)) found = cell.read;
        if (cell.far_read.write && races(cell.far_read, now, clocks, sites)) found = cell.far_read;
        keep_reader(cell, now, clocks);
    }
    return found;
}

}  // namespace kit::cpu
