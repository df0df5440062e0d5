// Decides whether an access races with an earlier access to the same bytes.
#pragma once

#include "happens_before.hpp"
#include "record.hpp"
#include "sites.hpp"

namespace kit::cpu {

/// Compares an access with the records of a cell, and adds a record of the access. Returns the record with
/// which the access races; an invalid record if there is none.
Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks, const Sites& sites);

/// Returns how far apart the threads of two accesses are: 3 in different blocks, 2 in different warps, 1
/// in one warp, 0 for the same thread.
inline int distance(const Record& a, const Record& b) {
    if (a.block != b.block) return 3;
    if (a.rank / 32 != b.rank / 32) return 2;
    return a.rank != b.rank ? 1 : 0;
}

/// Checks an access that is not atomic, if program order or a barrier orders it after all earlier accesses
/// with which it could race. Returns false in all other cases, and changes nothing then.
[[gnu::always_inline]] inline bool check_ordered(Cell& cell, const Record& now, const BlockClocks& clocks) {
    const auto is_ordered = [&](const Record& earlier) {
        return !earlier.valid || clocks.before_barrier(earlier, now.rank);
    };
    const Record read = cell.read, far_read = cell.far_read;
    if (!is_ordered(cell.write)) return false;
    if (now.write) {
        if (!is_ordered(read) || !is_ordered(far_read)) return false;
        cell.write = now;
        cell.read = Record{};
        cell.far_read = Record{};
        return true;
    }
    if (read.write || far_read.write) return false;
    const bool replaces = is_ordered(read), is_far_ordered = is_ordered(far_read);
    if (!(replaces && is_far_ordered) && !clocks.has_only_barriers(now.rank)) return false;
    if (replaces) {
        cell.read = now;
        if (is_far_ordered) cell.far_read = Record{};
    } else if (is_far_ordered || distance(read, now) > distance(read, far_read)) {
        cell.far_read = now;
    }
    return true;
}

}  // namespace kit::cpu
