// Shared by the tests of the tile scans: references, cases, and limits for additions and barriers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "07_reduction/shared_work.hpp"
#include "08_scan/08_scan.hpp"
#include "grader.cuh"

namespace scan_test {

enum class Kind { inclusive, exclusive };

template <class T>
using Scan = void (*)(const T* in, int n, T* out);

/// Scans each tile of `tile` values separately; if `tile` is 0, scans all values together.
template <class T>
std::vector<T> reference(const std::vector<T>& values, Kind kind, std::size_t tile) {
    std::vector<T> result(values.size());
    T sum{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (tile != 0 && i % tile == 0) sum = T{};
        if (kind == Kind::exclusive) result[i] = sum;
        sum = sum + values[i];
        if (kind == Kind::inclusive) result[i] = sum;
    }
    return result;
}

/// Returns the result of Hillis and Steele's scan without its last step: sums of at most half a tile.
inline std::vector<int> without_last_step(const std::vector<int>& values, std::size_t tile) {
    std::vector<int> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = std::min(i % tile + 1, tile / 2); k-- > 0;) result[i] += values[i - k];
    }
    return result;
}

/// Returns every tile after the upsweep alone.
inline std::vector<int> only_upwards(std::vector<int> values, std::size_t tile) {
    for (std::size_t first = 0; first < values.size(); first += tile) {
        for (std::size_t stride = 1; stride < tile; stride *= 2) {
            for (std::size_t right = 2 * stride - 1; right < tile; right += 2 * stride) {
                if (first + right < values.size()) values[first + right] += values[first + right - stride];
            }
        }
    }
    return values;
}

/// Returns an exclusive scan that starts, in every tile, with the sum of the tile.
inline std::vector<int> with_the_sum_at_the_root(const std::vector<int>& values, std::size_t tile) {
    auto result = reference(values, Kind::exclusive, tile);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t first = i / tile * tile;
        for (std::size_t k = first; k < std::min(first + tile, values.size()); ++k) result[i] += values[k];
    }
    return result;
}

/// A scan by two sweeps with one mistake.
struct WrongSweeps {
    enum class Down { right, left_kept, right_not_added, turned, upwards, one_step_late };

    kit::Said sentence;
    bool root_in_the_middle = false;
    Down down = Down::right;
    std::size_t first_stride = 1;  ///< first stride of the upsweep

    std::vector<int> of(const std::vector<int>& values, std::size_t tile) const {
        std::vector<int> result;
        for (std::size_t first = 0; first < values.size(); first += tile) {
            std::vector<int> a(tile, 0);
            const std::size_t count = std::min(tile, values.size() - first);
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, a.begin());
            sweep(a);
            result.insert(result.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count));
        }
        return result;
    }

  private:
    void sweep(std::vector<int>& a) const {
        const std::size_t tile = a.size();
        for (std::size_t stride = first_stride; stride < tile; stride *= 2)
            for (std::size_t i = 2 * stride - 1; i < tile; i += 2 * stride) a[i] += a[i - stride];
        a[root_in_the_middle ? tile / 2 - 1 : tile - 1] = 0;
        std::vector<std::size_t> strides;
        for (std::size_t stride = tile / 2; stride > 0; stride /= 2) strides.push_back(stride);
        if (down == Down::upwards) std::reverse(strides.begin(), strides.end());
        if (down == Down::one_step_late) strides.erase(strides.begin());
        for (const std::size_t stride : strides)
            for (std::size_t i = 2 * stride - 1; i < tile; i += 2 * stride) step(a[i - stride], a[i]);
    }

    void step(int& left, int& right) const {
        const int before = right, sum = before + left;
        right = down == Down::right_not_added || down == Down::turned ? before : sum;
        if (down == Down::turned)
            left = sum;
        else if (down != Down::left_kept)
            left = before;
    }
};

inline std::vector<WrongSweeps> wrong_sweeps() {
    using Down = WrongSweeps::Down;
    return {{"the identity is in the middle of the tile: put it at the end" + kit::task(2), true},
            {"no node passes its prefix to its left child: store it there" + kit::task(3), false,
             Down::left_kept},
            {"the right child lacks the sum of the left child: add it" + kit::task(3), false,
             Down::right_not_added},
            {"the two children get each other's prefix: exchange them" + kit::task(3), false, Down::turned},
            {"the downsweep goes from the smallest stride to the largest: reverse it" + kit::task(3), false,
             Down::upwards},
            {"the downsweep starts one step late: start with half of the tile" + kit::task(3), false,
             Down::one_step_late},
            {"the upsweep starts with a stride of 2: start with 1" + kit::task(1), false, Down::right, 2}};
}

/// Recognizes known mistakes from the values of a whole result.
inline void name_mistakes(kit::Case& test, const std::vector<int>& values, Kind kind, std::size_t tile) {
    if (values.size() < 2) return;
    if (kind == Kind::inclusive) {
        test.mistake(kit::Diagnosis::shifted, reference(values, Kind::exclusive, tile),
                     "this is the exclusive scan, but the task is the inclusive scan: include element i");
    } else {
        test.mistake(
            kit::Diagnosis::shifted, reference(values, Kind::inclusive, tile),
            "this is the inclusive scan, but the task is the exclusive scan: leave out element i, and "
            "start with the identity");
    }
    if (tile == 0) return;
    if (kind == Kind::inclusive && values.size() > tile / 2) {
        test.mistake(kit::Diagnosis::wrong_value, without_last_step(values, tile),
                     "these are sums of at most the last " + kit::count_of(tile / 2, "element") +
                         ": add the last step");
    }
    if (kind == Kind::inclusive && values.size() > 2) {
        test.mistake(kit::Diagnosis::wrong_value, only_upwards(values, tile),
                     "this is the tree after the upsweep: pass the sums on to the right");
    }
    if (kind == Kind::exclusive) {
        test.mistake(kit::Diagnosis::shifted, with_the_sum_at_the_root(values, tile),
                     "the sum of the tile is added to every value: replace it at the root by the identity");
        if (values.size() > 4)
            for (const WrongSweeps& wrong : wrong_sweeps())
                test.mistake(kit::Diagnosis::wrong_value, wrong.of(values, tile), wrong.sentence);
    }
    if (values.size() > tile) {
        test.mistake(kit::Diagnosis::wrong_value, reference(values, kind, 0),
                     "the scan continues from tile to tile: scan each tile separately");
    }
}

inline void judge_tiles(kit::Case& test, Scan<int> function, Kind kind, std::size_t tile,
                        const std::vector<int>& values) {
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    test.call([&] { function(in.data(), static_cast<int>(values.size()), out.data()); });
    name_mistakes(test, values, kind, tile);
    test.expect(out, reference(values, kind, tile));
    if (!values.empty()) test.by_kernels(kit::named_task(1));
    test.stored_at_most(values.size() * sizeof(int), "each thread writes its own elements");
}

/// The two sweeps of segments, each with its operands in their order or exchanged.
inline std::vector<int> sweeps_of_segments(const std::vector<scan::Segmented>& values, std::size_t tile,
                                           bool up_exchanged, bool down_exchanged) {
    std::vector<int> sums;
    for (std::size_t first = 0; first < values.size(); first += tile) {
        std::vector<scan::Segmented> a(tile);
        const std::size_t count = std::min(tile, values.size() - first);
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, a.begin());
        for (std::size_t stride = 1; stride < tile; stride *= 2)
            for (std::size_t i = 2 * stride - 1; i < tile; i += 2 * stride)
                a[i] = up_exchanged ? a[i] + a[i - stride] : a[i - stride] + a[i];
        a[tile - 1] = scan::Segmented{};
        for (std::size_t stride = tile / 2; stride > 0; stride /= 2) {
            for (std::size_t i = 2 * stride - 1; i < tile; i += 2 * stride) {
                const scan::Segmented before = a[i], left = a[i - stride];
                a[i - stride] = before;
                a[i] = down_exchanged ? left + before : before + left;
            }
        }
        for (std::size_t i = 0; i < count; ++i) sums.push_back(a[i].sum);
    }
    return sums;
}

/// The sweep whose operands are exchanged, if the results show it.
inline kit::Said task_of_order(const std::vector<scan::Segmented>& values, std::size_t tile,
                               const std::vector<int>& got) {
    if (got == sweeps_of_segments(values, tile, true, false)) return ", on the way up" + kit::task(1);
    if (got == sweeps_of_segments(values, tile, false, true)) return ", on the way down" + kit::task(3);
    return "";
}

/// Judges with an operation that is associative but not commutative, so the operands must stay in order.
inline void judge_order(kit::Case& test, Scan<scan::Segmented> function, Kind kind, std::size_t tile,
                        std::size_t n) {
    std::vector<scan::Segmented> values(n);
    for (auto& value : values) {
        value = {static_cast<int>(test.random().integer(1, 99)), test.random().integer(0, 6) == 0 ? 1 : 0};
    }
    auto in = test.input("in", values);
    auto out = test.output<scan::Segmented>("out", n);
    test.call([&] { function(in.data(), static_cast<int>(n), out.data()); });
    const auto sums = [](const std::vector<scan::Segmented>& all) {
        std::vector<int> result;
        for (const auto& one : all) result.push_back(one.sum);
        return result;
    };
    const std::vector<int> got = sums(out.values()), want = sums(reference(values, kind, tile));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += got[i] != want[i];
    if (wrong > 0 && wrong < n) {
        test.check(false,
                   std::to_string(wrong) + " of " + std::to_string(n) +
                       " sums of segments are wrong: make the earlier element the left operand, because this "
                       "+ is not commutative" +
                       (kind == Kind::exclusive ? task_of_order(values, tile, got) : kit::Said()));
    }
    test.expect<int>("sums of out", got, want);
}

/// Limits for one tile. The elements themselves count, on every backend.
struct Cost {
    const char* name;
    std::size_t additions;  ///< largest number of additions per tile
    int chain;              ///< largest number of dependent additions
};

inline void judge_cost(kit::Case& test, Scan<scan::Counted> function, Kind kind, std::size_t tile,
                       Cost cost) {
    constexpr std::size_t tiles = 3;
    const std::size_t n = tiles * tile;
    const auto numbers = kit::integers<int>(test.random(), n, -1000, 1000);
    auto additions = test.inout<unsigned long long>("additions", {0});
    std::vector<scan::Counted> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {numbers[i], 0, additions.data()};
    auto in = test.input("in", values);
    auto out = test.output<scan::Counted>("out", n);
    test.call([&] { function(in.data(), static_cast<int>(n), out.data()); });
    std::vector<int> got;
    int chain = 0;
    for (const scan::Counted& one : out.values()) {
        got.push_back(one.value);
        chain = std::max(chain, one.chain);
    }
    test.expect<int>("values of out", got, reference(numbers, kind, tile));
    const std::size_t made = additions.values()[0] / tiles;
    test.demand("additions", kit::at_most(made, cost.additions),
                "your code performs " + kit::count_of(made, "addition") + " per tile, but " + cost.name +
                    " needs only " + std::to_string(cost.additions) + ": let fewer threads add in each step");
    test.demand("additions", kit::at_least(made, tile - 2.0),
                "your code performs only " + kit::count_of(made, "addition") +
                    " per tile: add with the elements' own +");
    test.demand("additions", kit::at_most(chain, cost.chain),
                kit::count_of(chain, "addition", "wait") + " for each other, but only " +
                    std::to_string(cost.chain) + " do in " + cost.name + ": add in a tree");
}

#ifdef KIT_CPU
/// Demands barriers between the steps, and at most `most` of them.
inline void judge_barriers(kit::Case& test, Scan<int> function, Kind kind, std::size_t tile, std::size_t most,
                           const kit::Said& why) {
    constexpr std::size_t tiles = 5;
    const auto values = kit::integers<int>(test.random(), tiles * tile, -1000, 1000);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    kit::cpu::reset_counters();
    test.call([&] { function(in.data(), static_cast<int>(values.size()), out.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    const std::size_t barriers = counters.block_barriers / tiles;
    shared_work::expect_meetings(test, counters, 4, "a scan");
    test.demand("barriers", kit::at_most(barriers, most),
                "a block waits " + kit::count_of(barriers, "time") + " at a barrier, but " + why);
    test.expect(out, reference(values, kind, tile));
}
#endif

/// Adds all cases of one tile scan. `ints`, `segments` and `counted` are the same function for three types. Wrong values point to
/// `tasks_of_values`, if there are some.
inline void add_cases(kit::Grader& grader, Kind kind, std::size_t tile, const std::vector<int>& sizes,
                      Scan<int> ints, Scan<scan::Segmented> segments, Scan<scan::Counted> counted, Cost cost,
                      const std::string& prefix = "", const std::vector<int>& tasks_of_values = {}) {
    for (int n : sizes) {
        grader.add(prefix + "n=" + std::to_string(n), [=](kit::Case& test) {
            test.values_are_of(tasks_of_values);
            judge_tiles(test, ints, kind, tile, kit::integers<int>(test.random(), n, -100000, 100000));
        });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    const std::size_t many = 65600 * tile + 3;
    grader.add(prefix + "n=" + std::to_string(many),
               [=](kit::Case& test) {
                   judge_tiles(test, ints, kind, tile,
                               kit::integers<int>(test.random(), many, -100000, 100000));
               },
               {60, true});
#endif
    const std::size_t ragged = 3 * tile + tile / 2 + 3;
    grader.add(prefix + "two calls, spikes at the edges of the tiles", [=](kit::Case& test) {
        test.values_are_of(tasks_of_values);
        for (std::size_t call = 0; call < 2; ++call)
            judge_tiles(test, ints, kind, tile, kit::spikes<int>(test.random(), ragged - call, tile));
    });
    grader.add(prefix + "segments: the order of the operands",
               [=](kit::Case& test) { judge_order(test, segments, kind, tile, ragged); });
    grader.add(prefix + "additions, counted",
               [=](kit::Case& test) { judge_cost(test, counted, kind, tile, cost); });
#ifdef KIT_CPU
    grader.add(prefix + "steps, counted", [=](kit::Case& test) {
        judge_barriers(test, ints, kind, tile, tile,
                       "a scan has fewer steps: remove the barriers that separate nothing");
    });
#endif
}

/// Every size, for the first version of an exercise.
inline std::vector<int> all_sizes(std::size_t tile) {
    return kit::sizes(static_cast<int>(tile), 5000);
}

/// Some sizes, for a version that shares most of its code with the first.
inline std::vector<int> some_sizes(std::size_t tile) {
    return {0, 1, static_cast<int>(tile) + 1, 1501};
}

constexpr int log2_of(std::size_t power) {
    int steps = 0;
    for (; power > 1; power /= 2) ++steps;
    return steps;
}

}  // namespace scan_test
