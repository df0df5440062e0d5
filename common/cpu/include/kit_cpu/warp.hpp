// Warp intrinsics of CUDA's language: shuffles, votes, matches, reductions.
//
// All lanes in the mask that have not returned from the kernel meet, and one of them computes the results for
// all. If a lane reads from a lane that does not take part, CUDA leaves its result undefined. The executor
// returns `no_such_lane`, which is a NaN for both floating-point types.
#pragma once

#include <host_defines.h>
#include <string.h>

#include <kit_cpu/thread.hpp>
#include <kit_cpu/undefined.hpp>

namespace kit::cpu {

KIT_CPU_UNCHECKED inline void combine_shuffle(unsigned mask, const void* const in[32], void* const out[32]) {
    for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !in[lane]) continue;
        ShuffleInput& mine = *static_cast<ShuffleInput*>(const_cast<void*>(in[lane]));
        const bool exists = mine.source >= 0 && mine.source < 32 && (mask >> mine.source & 1);
        const ShuffleInput* source = static_cast<const ShuffleInput*>(exists ? in[mine.source] : nullptr);
        if (source && source->size == mine.size) {
            memcpy(out[lane], source->value, mine.size);
            if (source->brings.is) mine.takes = source->brings;
        } else {
            mine.takes.is = true;
            if (source) mine.takes.why = UndefinedLane::Why::other_size;
            for (unsigned i = 0; i < mine.size; ++i)
                static_cast<unsigned char*>(out[lane])[i] = no_such_lane >> i % 8 * 8 & 0xff;
        }
    }
}

/// Returns the value of lane `source`. T is copied byte by byte, as in cooperative groups, which accept any
/// trivially copyable type.
template <class T>
KIT_CPU_UNCHECKED inline T shuffle(const char* what, unsigned mask, const T& value, int source, Place place) {
    alignas(T) unsigned char bytes[sizeof(T)];
    const T copy = value;
    ShuffleInput input{&copy, sizeof(T), source, {}, {}};
    input.takes.what = what;
    input.takes.place = place;
    input.takes.mask = mask;
    input.takes.lane = source;
    look_for_undefined(input);
    warp_meet(what, mask, &input, bytes, combine_shuffle, place, KIT_CPU_CALL_SITE);
    if (input.brings.is || input.takes.is) note_undefined(input, bytes);
    T result;
    memcpy(static_cast<void*>(&result), bytes, sizeof(T));
    return result;
}

/// These functions return the lane from which each shuffle reads, as the hardware computes it: the caller's
/// own lane if it is outside of the segment.
inline int source_indexed(int lane, int width) {
    const int segment = 32 - width;
    return (static_cast<int>(lane_id()) & segment) | (lane & 31 & ~segment);
}
inline int source_up(unsigned delta, int width) {
    const int mine = static_cast<int>(lane_id()), lane = mine - static_cast<int>(delta & 31);
    return lane >= (mine & (32 - width)) ? lane : mine;
}
inline int source_down(unsigned delta, int width) {
    const int mine = static_cast<int>(lane_id()), lane = mine + static_cast<int>(delta & 31);
    return lane <= (mine | (width - 1)) ? lane : mine;
}
inline int source_xor(int lane_mask, int width) {
    const int mine = static_cast<int>(lane_id()), lane = mine ^ (lane_mask & 31);
    return lane <= (mine | (width - 1)) ? lane : mine;
}

KIT_CPU_UNCHECKED inline void combine_ballot(unsigned mask, const void* const in[32], void* const out[32]) {
    unsigned votes = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (mask >> lane & 1 && in[lane] && *static_cast<const int*>(in[lane])) votes |= 1u << lane;
    }
    for (int lane = 0; lane < 32; ++lane) {
        if (mask >> lane & 1 && in[lane]) *static_cast<unsigned*>(out[lane]) = votes;
    }
}

KIT_CPU_UNCHECKED inline unsigned ballot(const char* what, unsigned mask, int predicate, Place place,
                                         Returned returned = Returned::may_be_named) {
    unsigned votes = 0;
    warp_meet(what, mask, &predicate, &votes, combine_ballot, place, KIT_CPU_CALL_SITE, returned);
    return votes;
}

/// The lanes that passed the same bits as the caller, and all lanes that have met.
struct Match {
    unsigned equal = 0, all = 0;
};

KIT_CPU_UNCHECKED inline void combine_match(unsigned mask, const void* const in[32], void* const out[32]) {
    for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !in[lane]) continue;
        Match result;
        for (int other = 0; other < 32; ++other) {
            if (!(mask >> other & 1) || !in[other]) continue;
            result.all |= 1u << other;
            if (*static_cast<const unsigned long long*>(in[lane]) ==
                *static_cast<const unsigned long long*>(in[other]))
                result.equal |= 1u << other;
        }
        *static_cast<Match*>(out[lane]) = result;
    }
}

template <class T>
KIT_CPU_UNCHECKED inline Match match(const char* what, unsigned mask, T value, Place place,
                                     Returned returned = Returned::may_be_named) {
    unsigned long long bits = 0;
    static_assert(sizeof(T) <= sizeof(bits), "lanes compare values of at most 8 bytes");
    memcpy(&bits, &value, sizeof(T));
    Match result;
    warp_meet(what, mask, &bits, &result, combine_match, place, KIT_CPU_CALL_SITE, returned);
    return result;
}

/// Combines the values of all lanes with Op{}, in lane order, and returns the result to each lane.
template <class T, class Op>
KIT_CPU_UNCHECKED inline void combine_reduce(unsigned mask, const void* const in[32], void* const out[32]) {
    T result{};
    bool first = true;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !in[lane]) continue;
        const T value = *static_cast<const T*>(in[lane]);
        result = first ? value : Op{}(result, value);
        first = false;
    }
    for (int lane = 0; lane < 32; ++lane) {
        if (mask >> lane & 1 && in[lane]) *static_cast<T*>(out[lane]) = result;
    }
}

template <class Op, class T>
KIT_CPU_UNCHECKED inline T reduce(const char* what, unsigned mask, T value, Place place) {
    T result{};
    warp_meet(what, mask, &value, &result, combine_reduce<T, Op>, place, KIT_CPU_CALL_SITE);
    return result;
}

// clang-format off
struct LaneAdd { template <class T> T operator()(T a, T b) const { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); } };
struct LaneMin { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
struct LaneMax { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
struct LaneAnd { unsigned operator()(unsigned a, unsigned b) const { return a & b; } };
struct LaneOr { unsigned operator()(unsigned a, unsigned b) const { return a | b; } };
struct LaneXor { unsigned operator()(unsigned a, unsigned b) const { return a ^ b; } };
// clang-format on

}  // namespace kit::cpu

/// Shuffles and matches for the types for which they exist. Smaller integers are converted to int, as in
/// CUDA.
#define KIT_CPU_WARP_FUNCTIONS(T)                                                                            \
    inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32,                                   \
                         kit::cpu::Place place = KIT_CPU_HERE) {                                             \
        return kit::cpu::shuffle("__shfl_sync()", mask, value, kit::cpu::source_indexed(lane, width),        \
                                 place);                                                                     \
    }                                                                                                        \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,                          \
                            kit::cpu::Place place = KIT_CPU_HERE) {                                          \
        return kit::cpu::shuffle("__shfl_up_sync()", mask, value, kit::cpu::source_up(delta, width), place); \
    }                                                                                                        \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,                        \
                              kit::cpu::Place place = KIT_CPU_HERE) {                                        \
        return kit::cpu::shuffle("__shfl_down_sync()", mask, value, kit::cpu::source_down(delta, width),     \
                                 place);                                                                     \
    }                                                                                                        \
    inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,                          \
                             kit::cpu::Place place = KIT_CPU_HERE) {                                         \
        return kit::cpu::shuffle("__shfl_xor_sync()", mask, value, kit::cpu::source_xor(lane_mask, width),   \
                                 place);                                                                     \
    }                                                                                                        \
    inline unsigned __match_any_sync(unsigned mask, T value, kit::cpu::Place place = KIT_CPU_HERE) {         \
        return kit::cpu::match("__match_any_sync()", mask, value, place).equal;                              \
    }                                                                                                        \
    inline unsigned __match_all_sync(unsigned mask, T value, int* predicate,                                 \
                                     kit::cpu::Place place = KIT_CPU_HERE) {                                 \
        const kit::cpu::Match match = kit::cpu::match("__match_all_sync()", mask, value, place);             \
        *predicate = match.equal == match.all;                                                               \
        return *predicate ? match.all : 0u;                                                                  \
    }

KIT_CPU_WARP_FUNCTIONS(int)
KIT_CPU_WARP_FUNCTIONS(unsigned)
KIT_CPU_WARP_FUNCTIONS(long)
KIT_CPU_WARP_FUNCTIONS(unsigned long)
KIT_CPU_WARP_FUNCTIONS(long long)
KIT_CPU_WARP_FUNCTIONS(unsigned long long)
KIT_CPU_WARP_FUNCTIONS(float)
KIT_CPU_WARP_FUNCTIONS(double)
#undef KIT_CPU_WARP_FUNCTIONS

#define KIT_CPU_WARP_REDUCTION(T, name, Op)                                       \
    inline T name(unsigned mask, T value, kit::cpu::Place place = KIT_CPU_HERE) { \
        return kit::cpu::reduce<kit::cpu::Op>(#name "()", mask, value, place);    \
    }

KIT_CPU_WARP_REDUCTION(int, __reduce_add_sync, LaneAdd)
KIT_CPU_WARP_REDUCTION(int, __reduce_min_sync, LaneMin)
KIT_CPU_WARP_REDUCTION(int, __reduce_max_sync, LaneMax)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_add_sync, LaneAdd)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_min_sync, LaneMin)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_max_sync, LaneMax)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_and_sync, LaneAnd)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_or_sync, LaneOr)
KIT_CPU_WARP_REDUCTION(unsigned, __reduce_xor_sync, LaneXor)
#undef KIT_CPU_WARP_REDUCTION

inline unsigned __ballot_sync(unsigned mask, int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::ballot("__ballot_sync()", mask, predicate, place);
}

inline int __any_sync(unsigned mask, int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::ballot("__any_sync()", mask, predicate, place) != 0;
}

inline int __all_sync(unsigned mask, int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::ballot("__all_sync()", mask, !predicate, place) == 0;
}

/// Returns whether the predicates of all lanes are the same.
inline int __uni_sync(unsigned mask, int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    const kit::cpu::Match match = kit::cpu::match("__uni_sync()", mask, predicate != 0, place);
    return match.equal == match.all;
}

inline unsigned __activemask(kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::converged_lanes(place);
}
