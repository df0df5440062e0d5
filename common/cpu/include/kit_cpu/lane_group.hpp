// The common base of tiles and coalesced groups: shuffles, votes and matches among the lanes of a mask, which
// are identified by rank.
#pragma once

#include <kit_cpu/thread.hpp>
#include <kit_cpu/warp.hpp>
#include <type_traits>

namespace kit::cpu {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

/// Returns the lane that has this rank among the lanes of `mask`; -1 if there is none.
inline int lane_of_rank(unsigned mask, unsigned rank) {
    for (; mask; mask &= mask - 1, --rank) {
        if (rank == 0) return __builtin_ctz(mask);
    }
    return -1;
}

inline unsigned rank_of_lane(unsigned mask, unsigned lane) {
    return static_cast<unsigned>(__builtin_popcount(mask & ((1u << lane) - 1)));
}

/// Collects the bits of `lanes` at the positions in `mask`: bit r of the result is that of rank r.
inline unsigned bits_by_rank(unsigned mask, unsigned lanes) {
    unsigned result = 0;
    for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) {
        if (lanes & mask & (0u - mask)) result |= 1u << rank;
    }
    return result;
}

/// The base class of a group. `Group` must have a member lanes() that returns its mask.
template <class Group>
class LaneCollectives {
  public:
    /// Returns the value of the thread with this rank. T can be any type that is copied byte by byte.
    template <class T>
    Plain<T> shfl(T&& value, int rank, Place place = KIT_CPU_HERE) const {
        return exchange<Plain<T>>("shfl() of a group", value, Group::source(lanes(), rank), place);
    }

    /// Returns the value of the thread whose rank is larger by `delta`; the caller's own value if there is
    /// none.
    template <class T>
    Plain<T> shfl_down(T&& value, unsigned delta, Place place = KIT_CPU_HERE) const {
        const unsigned mine = rank();
        return exchange<Plain<T>>("shfl_down() of a group", value,
                                  delta < size() - mine ? lane_of_rank(lanes(), mine + delta) : my_lane(),
                                  place);
    }

    /// Returns the value of the thread whose rank is smaller by `delta`; the caller's own value if there is
    /// none.
    template <class T>
    Plain<T> shfl_up(T&& value, unsigned delta, Place place = KIT_CPU_HERE) const {
        const unsigned mine = rank();
        return exchange<Plain<T>>("shfl_up() of a group", value,
                                  delta <= mine ? lane_of_rank(lanes(), mine - delta) : my_lane(), place);
    }

    /// Returns whether the predicate of any thread is not zero; all() does the same for every thread. As on a
    /// GPU, the predicate of a thread that has returned counts as zero.
    int any(int predicate, Place place = KIT_CPU_HERE) const {
        return kit::cpu::ballot("any() of a group", lanes(), predicate, place) != 0;
    }
    int all(int predicate, Place place = KIT_CPU_HERE) const {
        return kit::cpu::ballot("all() of a group", lanes(), predicate, place) == lanes();
    }

    /// Returns a mask in which bit r is set if the predicate of rank r is not zero.
    unsigned ballot(int predicate, Place place = KIT_CPU_HERE) const {
        return bits_by_rank(lanes(), kit::cpu::ballot("ballot() of a group", lanes(), predicate, place));
    }

    /// Returns a mask in which bit r is set if rank r passed the same value as the caller.
    template <class T>
    unsigned match_any(T value, Place place = KIT_CPU_HERE) const {
        static_assert(std::is_arithmetic_v<T>, "match_any() compares numbers");
        return bits_by_rank(lanes(), kit::cpu::match("match_any() of a group", lanes(), value, place).equal);
    }

    /// Returns the mask of all ranks if every thread passed the same value, and otherwise 0. `predicate`
    /// receives whether all values were the same.
    template <class T>
    unsigned match_all(T value, int& predicate, Place place = KIT_CPU_HERE) const {
        static_assert(std::is_arithmetic_v<T>, "match_all() compares numbers");
        const Match match = kit::cpu::match("match_all() of a group", lanes(), value, place);
        predicate = match.equal == match.all;
        return predicate ? bits_by_rank(lanes(), match.all) : 0u;
    }

  protected:
    template <class T>
    T exchange(const char* what, const T& value, int lane, Place place) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                      "a group exchanges types of at most 32 bytes that can be copied byte by byte");
        return kit::cpu::shuffle(what, lanes(), value, lane, place);
    }

    unsigned lanes() const { return static_cast<const Group&>(*this).lanes(); }
    unsigned size() const { return static_cast<unsigned>(__builtin_popcount(lanes())); }
    unsigned rank() const { return rank_of_lane(lanes(), lane_id()); }
    static int my_lane() { return static_cast<int>(lane_id()); }
};

}  // namespace kit::cpu
