// Shared by the tests of topic 11: rings of random values, their window sums, and checks of the asynchronous copies.
#pragma once

#include <string>
#include <vector>

#include "11_async_copy/11_async_copy.hpp"
#include "grader.cuh"

namespace staging_test {

using kit::Diagnosis;
using Values = std::vector<unsigned int>;

inline Values make(kit::Random& random, std::size_t n) {
    return kit::integers<unsigned int>(random, n, 1, 1u << 30);
}

/// Computes the sums from prefix sums over the ring, without a loop over the window.
inline Values window_sums(const Values& in, int window) {
    Values out(in.size());
    for (std::size_t first = 0; first < in.size(); first += staging::kTile) {
        const std::size_t count = std::min<std::size_t>(in.size() - first, staging::kTile);
        Values before(count + 1);
        for (std::size_t i = 0; i < count; ++i) before[i + 1] = before[i] + in[first + i];
        const auto whole = static_cast<unsigned int>(window / count);
        const std::size_t rest = window % count;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t end = i + rest;
            const unsigned int part =
                end <= count ? before[end] - before[i] : before[count] - before[i] + before[end - count];
            out[first + i] = whole * before[count] + part;
        }
    }
    return out;
}

/// Computes the sums with the weights of the contract, element by element, modulo 2^32.
inline Values weighted_sums(const Values& in, int window) {
    Values out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t first = i / staging::kTile * staging::kTile;
        const std::size_t count = std::min<std::size_t>(in.size() - first, staging::kTile);
        for (int k = 0; k < window; ++k) out[i] += staging::weight(k) * in[first + (i - first + k) % count];
    }
    return out;
}

/// Demands that each byte of n elements is copied asynchronously, once.
inline void demand_async(kit::Case& test, std::size_t n) {
#ifdef KIT_CPU
    const auto bytes = kit::cpu::counters().async_bytes;
    const bool by_loads = bytes == 0 && kit::cpu::counters().kernels > 0;
    test.method("asynchronous", !by_loads || n == 0,
                {"asynchronous copies, which bypass the registers",
                 "your threads load the elements of `in` and store them to the tile",
                 "An asynchronous copy leaves its registers and its threads free while the data arrives. The "
                 "pipelines of this topic depend on that.",
                 1});
    test.demand("asynchronous", kit::unless(by_loads, kit::exactly(bytes, n * sizeof(unsigned int))),
                kit::count_of(bytes, "byte", "were") + " copied asynchronously, but `in` has " +
                    std::to_string(n * sizeof(unsigned int)) + ": copy each byte asynchronously, once");
#else
    (void)test, (void)n;
#endif
}

/// Demands that the next tile of a block is in flight when a wait for a tile ends. Uses full tiles only, because a short tile gives
/// most threads no element to copy.
inline void demand_overlap([[maybe_unused]] kit::Case& test, [[maybe_unused]] std::size_t n,
                           [[maybe_unused]] std::size_t blocks) {
#ifdef KIT_CPU
    const std::size_t tiles = n / staging::kTile, rounds_with_a_next = tiles > blocks ? tiles - blocks : 0;
    const auto overlaps = kit::cpu::counters().async_overlaps;
    test.demand("overlap", kit::at_least(overlaps, rounds_with_a_next),
                "only " + std::to_string(overlaps) + " of " + kit::count_of(rounds_with_a_next, "wait") +
                    " ended while the copy of the block's next tile was in flight: start the next copy "
                    "before you wait for this one");
#endif
}

inline void reset_counts() {
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
}

/// Explains a race on the tile if the counts reveal the cause. `copies`: the task that starts the copies. `stage`: the task that
/// chooses the destination of a copy; empty if there is a single destination.
inline kit::Said why_it_races(const kit::facts::Finding& found, std::size_t n, const kit::Said& copies,
                              const kit::Said& stage) {
#ifdef KIT_CPU
    const kit::cpu::Counters seen = kit::cpu::counters();
    if (seen.async_bytes > n * sizeof(unsigned int))
        return kit::count_of(seen.async_bytes, "byte", "were") +
               " copied asynchronously, but `in` has only " + std::to_string(n * sizeof(unsigned int)) +
               ": copy each byte once (" + copies + ")";
    if (seen.async_late > 0)
        return "threads that have already arrived start the copy, so the phase ends without it: start the "
               "copy before you arrive (" +
               copies + ")";
#endif
    (void)n, (void)copies;
    const bool two_copies = found.accesses.size() == 2 && found.accesses[0].copies &&
                            found.accesses[0].write && found.accesses[1].copies && found.accesses[1].write;
    if (two_copies && !stage.empty())
        return "two copies in flight write to the same stage: give each its own stage (" + stage + ")";
    if (found.fix == kit::facts::Fix::copys_end && !stage.empty())
        return "wait for a stage once in each round, and release it after reading it, because each wait is "
               "for the oldest stage that "
               "is not released";
    return "";
}

/// Explains uninitialized memory of the tile if too few bytes were copied. For a single short copy, the finding itself says so.
inline kit::Said why_unwritten(const kit::facts::Finding& found, std::size_t n, const kit::Said& copies) {
#ifdef KIT_CPU
    const auto bytes = kit::cpu::counters().async_bytes;
    if (bytes > 0 && bytes < n * sizeof(unsigned int) && !found.value("short_copy"))
        return "only " + kit::count_of(bytes, "byte", "were") + " copied asynchronously, but `in` has " +
               std::to_string(n * sizeof(unsigned int)) +
               ": let all threads of the group call the copy together, each for the whole tile (" + copies +
               ")";
#endif
    (void)found, (void)n, (void)copies;
    return "";
}

/// Explains a deadlock: either a copy was not started, or all copies were started and their phase does not end.
inline kit::Said why_it_waits(std::size_t n, const kit::Said& not_begun, const kit::Said& begun) {
#ifdef KIT_CPU
    return kit::cpu::counters().async_bytes < n * sizeof(unsigned int) ? not_begun : begun;
#else
    (void)n, (void)not_begun, (void)begun;
    return "";
#endif
}

/// For `copies` and `stage`, see why_it_races. `by_hand`: elements that need not be copied asynchronously.
template <class Function>
void judge(kit::Case& test, std::size_t n, Values (*expected)(const Values&, int), int window,
           const kit::Said& copies, Function function, const kit::Said& stage = "", std::size_t by_hand = 0) {
    const Values values = make(test.random(), n);
    test.explain(kit::Diagnosis::race,
                 [=](const kit::facts::Finding& found) { return why_it_races(found, n, copies, stage); });
    test.explain(Diagnosis::uninitialised,
                 [=](const kit::facts::Finding& found) { return why_unwritten(found, n - by_hand, copies); });
    auto in = test.input("in", values);
    auto out = test.output<unsigned int>("out", n);
    reset_counts();
    test.call([&] { function(in.data(), n, out.data(), window); });
    demand_async(test, n - by_hand);
    test.expect(out, expected(values, window));
}

}  // namespace staging_test
