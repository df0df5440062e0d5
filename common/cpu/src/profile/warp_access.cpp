#include "warp_access.hpp"

#include <algorithm>

namespace kit::cpu {
namespace {

constexpr unsigned sector_bytes = 32, banks = 32, bank_bytes = 4;

unsigned sort_and_drop_repeated(std::uint64_t* values, unsigned count) {
    if (!std::is_sorted(values, values + count)) std::sort(values, values + count);
    return static_cast<unsigned>(std::unique(values, values + count) - values);
}

/// Calls `what` for each lane of the mask.
template <class What>
void for_each_lane(std::uint32_t lanes, What what) {
    for (; lanes; lanes &= lanes - 1) what(static_cast<unsigned>(__builtin_ctz(lanes)));
}

unsigned lanes_at_once(unsigned bytes) {
    return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
}

std::uint32_t first_lanes(unsigned count) {
    return count == 32 ? ~0u : (1u << count) - 1;
}

unsigned wavefronts_of(const WarpAccess& access, std::uint32_t lanes) {
    std::uint64_t words[32 * 5];  // an access of 16 bytes can begin in the middle of a word
    unsigned count = 0;
    for_each_lane(lanes, [&](unsigned lane) {
        const std::uint64_t first = access.address[lane] / bank_bytes,
                            last = (access.address[lane] + access.bytes - 1) / bank_bytes;
        for (std::uint64_t word = first; word <= last && count < 32 * 5; ++word) words[count++] = word;
    });
    count = sort_and_drop_repeated(words, count);
    unsigned in_bank[banks] = {}, most = 0;
    for (unsigned i = 0; i < count; ++i) most = std::max(most, ++in_bank[words[i] % banks]);
    return most;
}

}  // namespace

unsigned sectors_of(const WarpAccess& access, std::uint64_t* sectors) {
    unsigned count = 0;
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t first = access.address[lane] / sector_bytes,
                            last = (access.address[lane] + access.bytes - 1) / sector_bytes;
        if (!count || sectors[count - 1] != first) sectors[count++] = first;
        if (last != first) sectors[count++] = last;
    });
    return sort_and_drop_repeated(sectors, count);
}

unsigned WarpAccess::distinct_addresses() const {
    std::uint64_t all[32];
    unsigned count = 0;
    for_each_lane(lanes, [&](unsigned lane) { all[count++] = address[lane]; });
    return sort_and_drop_repeated(all, count);
}

unsigned WarpAccess::sectors() const {
    std::uint64_t all[64];
    return sectors_of(*this, all);
}

unsigned WarpAccess::ideal_sectors() const {
    return std::min(sectors(), (active() * bytes + sector_bytes - 1) / sector_bytes);
}

/// Returns whether two lanes of this group at this distance (1 or 2, by flipping that bit of the lane) access
/// the same bytes, or one of the two takes no part.
bool WarpAccess::is_same_across(std::uint32_t group, unsigned distance) const {
    bool same = true;
    for_each_lane(group & lanes, [&](unsigned lane) {
        const unsigned other = lane ^ distance;
        same &= !(lanes >> other & 1u) || address[other] == address[lane];
    });
    return same;
}

unsigned WarpAccess::groups(bool is_load, std::uint32_t* groups) const {
    const unsigned at_once = lanes_at_once(bytes);
    const unsigned step = at_once == 32 ? 32 : 2 * at_once;
    unsigned count = 0;
    const auto add = [&](std::uint32_t group) {
        if (group) groups[count++] = group;
    };
    for (unsigned begin = 0; begin < 32; begin += step) {
        const std::uint32_t both = first_lanes(step) << begin, first = first_lanes(at_once) << begin;
        if (step == at_once || (is_load && (is_same_across(both, 1) || is_same_across(both, 2)))) {
            add(lanes & both);
        } else {
            add(lanes & first);
            add(lanes & both & ~first);
        }
    }
    return count;
}

unsigned WarpAccess::wavefronts(bool is_load) const {
    std::uint32_t of_lanes[4];
    unsigned sum = 0;
    for (unsigned i = 0, count = groups(is_load, of_lanes); i < count; ++i)
        sum += wavefronts_of(*this, of_lanes[i]);
    return sum;
}

unsigned WarpAccess::ideal_wavefronts(bool is_load) const {
    std::uint32_t of_lanes[4];
    return groups(is_load, of_lanes);
}

long WarpAccess::stride() const {
    long common = 0;
    bool is_first = true;
    for (unsigned lane = 0; lane + 1 < 32; ++lane) {
        if ((lanes >> lane & 3u) != 3u) continue;
        const long step = static_cast<long>(address[lane + 1] - address[lane]);
        if (!is_first && step != common) return 0;
        common = step;
        is_first = false;
    }
    return common;
}

}  // namespace kit::cpu
