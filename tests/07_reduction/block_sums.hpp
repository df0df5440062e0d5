// Shared by the tests of the block-sum exercises: the reference, the cases, the comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "07_reduction/07_reduction.hpp"
#include "07_reduction/shared_work.hpp"
#include "grader.cuh"

namespace reduction_test {

using BlockSum = void (*)(const float* in, int n, float* block_sums);

/// The sum of each block of `block` values, accumulated in double, and the largest sum of magnitudes of a block.
struct Reference {
    std::vector<float> sums;
    double scale = 0;

    Reference(const std::vector<float>& values, std::size_t block) {
        for (std::size_t first = 0; first < values.size(); first += block) {
            double sum = 0, magnitudes = 0;
            for (std::size_t i = first; i < std::min(first + block, values.size()); ++i) {
                sum += values[i];
                magnitudes += std::fabs(values[i]);
            }
            sums.push_back(static_cast<float>(sum));
            scale = std::max(scale, magnitudes);
        }
    }
};

enum class Values { exact, spikes, heavy_tailed };

inline std::vector<float> make(kit::Random& random, int n, std::size_t block, Values kind) {
    if (kind == Values::exact) return kit::integers<float>(random, n, -1000, 1000);
    if (kind == Values::spikes) return kit::spikes<float>(random, n, block);
    return kit::heavy_tailed<float>(random, n);
}

/// Compares sums of integers exactly if a float represents them exactly, and other sums up to the rounding of a tree.
inline void judge(kit::Case& test, BlockSum function, int n, std::size_t block, Values kind) {
    auto values = make(test.random(), n, block, kind);
    Reference want(values, block);
    auto in = test.input("in", values);
    auto block_sums = test.output<float>("block_sums", want.sums.size());
    test.call([&] { function(in.data(), n, block_sums.data()); });
    test.expect(block_sums, want.sums,
                kind == Values::heavy_tailed ? kit::tolerance_sum<float>(block, want.scale) : kit::exact());
    if (n > 0) test.by_kernels(kit::named_task(1));
    test.stored_at_most(want.sums.size() * sizeof(float), "one thread of a block writes its sum");
}

/// Calls the function twice, with other values in the second call: the first call must not affect the second result.
inline void judge_two_calls(kit::Case& test, BlockSum function, int n, std::size_t block) {
    for (int call = 0; call < 2; ++call) judge(test, function, call == 0 ? n : n - 1, block, Values::exact);
}

#ifdef KIT_CPU
/// A tree has log2(kBlock) steps. Half as many are enough, because a thread may first add a few values.
inline void judge_shared_work(kit::Case& test, BlockSum function, std::size_t block) {
    const int n = static_cast<int>(12 * block);
    const auto values = make(test.random(), n, block, Values::exact);
    const Reference want(values, block);
    auto in = test.input("in", values);
    auto block_sums = test.output<float>("block_sums", want.sums.size());
    // Each block shares its values among its threads, so the counts are those of block 0, and the share is that of its thread 0.
    const auto counters =
        shared_work::call(test, in, block, [&] { function(in.data(), n, block_sums.data()); });
    const bool unseen = std::getenv("KIT_CHECKS") != nullptr;  // without the checks, loads are not counted
    const std::uint64_t loaded = counters.global_bytes_loaded + counters.async_bytes;
    test.demand("loads", unseen || 2 * loaded >= n * sizeof(float),
                "kernels load " + kit::count_of(loaded, "byte") + ", but `in` has " +
                    std::to_string(n * sizeof(float)) + ": let kernels add the values, not the host");
    shared_work::expect_meetings(test, counters, 4, "a tree");
    test.expect(block_sums, want.sums, kit::exact());
}
#endif

inline void add_cases(kit::Grader& grader, BlockSum function, std::size_t block,
                      const std::string& prefix = "") {
    for (int n : kit::sizes(static_cast<int>(block))) {
        grader.add(prefix + "n=" + std::to_string(n),
                   [=](kit::Case& test) { judge(test, function, n, block, Values::exact); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    const int many = static_cast<int>(65600 * block + 3);
    grader.add(prefix + "n=" + std::to_string(many),
               [=](kit::Case& test) { judge(test, function, many, block, Values::exact); }, {60, true});
#endif
    const int ragged = static_cast<int>(9 * block + block / 2 + 3);
    grader.add(prefix + "n=" + std::to_string(ragged) + ", spikes at the edges of the blocks",
               [=](kit::Case& test) { judge(test, function, ragged, block, Values::spikes); });
    grader.add(prefix + "n=" + std::to_string(ragged) + ", heavy tails",
               [=](kit::Case& test) { judge(test, function, ragged, block, Values::heavy_tailed); });
    grader.add(prefix + "two calls",
               [=](kit::Case& test) { judge_two_calls(test, function, ragged, block); });
#ifdef KIT_CPU
    grader.add(prefix + "work, counted", [=](kit::Case& test) { judge_shared_work(test, function, block); });
#endif
}

}  // namespace reduction_test
