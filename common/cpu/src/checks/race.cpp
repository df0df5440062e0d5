// The decision about a race, and which records are worth keeping.
#include "race.hpp"

namespace kit::cpu {
namespace {

bool reaches(const Record& from, const Record& to) {
    return from.scope != static_cast<unsigned>(Scope::block) || from.block == to.block;
}

bool same_thread(const Record& a, const Record& b) {
    return a.block == b.block && a.rank == b.rank;
}

/// The heart of it: two accesses race unless one thread made both, or both are atomic and reach each other, or the
/// earlier one happened before the later one.
bool races(const Record& earlier, const Record& now, const BlockClocks& clocks) {
    if (!earlier.valid || same_thread(earlier, now)) return false;
    if (earlier.atomic && now.atomic && reaches(earlier, now) && reaches(now, earlier)) return false;
    return !clocks.before(earlier, now.rank);
}

int distance(const Record& a, const Record& b) {
    if (a.block != b.block) return 3;
    if (a.rank / 32 != b.rank / 32) return 2;
    return a.rank != b.rank ? 1 : 0;
}

/// A reader that happened before another one says nothing that the later one does not say.
void keep_reader(Cell& cell, const Record& now, const BlockClocks& clocks) {
    if (!cell.read.valid || same_thread(cell.read, now) || clocks.before(cell.read, now.rank)) {
        cell.read = now;
        if (cell.far_read.valid && clocks.before(cell.far_read, now.rank)) cell.far_read.valid = 0;
    } else if (!cell.far_read.valid || clocks.before(cell.far_read, now.rank) ||
               distance(cell.read, now) > distance(cell.read, cell.far_read)) {
        cell.far_read = now;
    }
}

/// An atomic update is not ordered with the next one, so it does not cover what came before it: an earlier update that
/// a plain access may yet meet, or a plain write that another update may yet meet. These go on in the readers' places.
void keep_uncovered(Cell& cell, const Record& before, const BlockClocks& clocks, unsigned rank) {
    const auto covered = [&](const Record& record) {
        return !record.valid || ((record.atomic || !record.write) && clocks.before(record, rank));
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

Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks) {
    Record found{};
    if (races(cell.write, now, clocks)) found = cell.write;
    if (now.write) {
        if (races(cell.read, now, clocks)) found = cell.read;
        if (races(cell.far_read, now, clocks)) found = cell.far_read;
        const Record before = cell.write;
        cell.write = now;
        // Readers that this write is ordered after are covered by it.
        if (found.valid) return found;
        if (now.atomic) {
            keep_uncovered(cell, before, clocks, now.rank);
        } else {
            cell.read = Record{};
            cell.far_read = Record{};
        }
    } else {
        if (cell.read.write && races(cell.read, now, clocks)) found = cell.read;
        if (cell.far_read.write && races(cell.far_read, now, clocks)) found = cell.far_read;
        keep_reader(cell, now, clocks);
    }
    return found;
}

}  // namespace kit::cpu
