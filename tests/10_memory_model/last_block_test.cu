// Grades 10_memory_model/last_block: the range, in one launch, again and again.
#include <algorithm>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kMaxBlocks;
using memory_model::Range;

constexpr int kShare = 8 * memory_model::kBlock;            // values of a block, with the given launch
constexpr int kMaxThreads = kShare * memory_model::kBlock;  // values of as many blocks as a block has threads

/// `at_the_end`: both the lowest and the highest value are in the share of the last block.
void find(kit::Case& test, const std::vector<int>& sizes, bool at_the_end = false) {
    auto ranges = test.output<Range>("work.ranges", kMaxBlocks);
    auto ticket = test.inout<int>("work.ticket", {0});
    for (int n : sizes) {
        auto values = kit::integers<int>(test.random(), n, -1000000, 1000000);
        if (at_the_end) values[n - 1] = -2000000, values[n - 2] = 2000000;
        auto in = test.input("in", values);
        auto out = test.output<Range>("out", 1);
#ifdef KIT_CPU
        kit::cpu::reset_counters();
#endif
        test.call([&] {
            memory_model::last_block(in.data(), n, {ranges.data(), ticket.data()}, out.data());
        });
#ifdef KIT_CPU
        const std::uint64_t kernels = kit::cpu::counters().kernels;
        test.demand("kernels", kernels == 1,
                    std::to_string(kernels) + " kernels were launched, and one is allowed");
#endif
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        const Range got = out.values()[0];
        if (at_the_end && n > kMaxThreads)
            test.check(got.low == *low && got.high == *high,
                       "the range is " + std::to_string(got.low) + " to " + std::to_string(got.high) +
                           ", expected " + std::to_string(*low) + " to " + std::to_string(*high) +
                           ", which are both in the share of the last block: " +
                           std::to_string(kit::ceil_div(n, kShare)) +
                           " blocks have left a range, more than a block has threads (Task 2)",
                       kit::Diagnosis::part);
        test.expect("low and high", std::vector<int>{got.low, got.high}, {*low, *high});
        test.check(ticket.values()[0] == 0,
                   "`work.ticket` is not 0 after the call: the next one finds no last block",
                   kit::Diagnosis::second_call);
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "last_block", argc, argv);
    grader.task(2, {kit::Diagnosis::second_call, kit::Diagnosis::not_written});
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(1, kit::About::either_half());
    for (int n : {1, 2047, 2048, 2049, 20011})
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { find(test, {n}); });
    grader.add("several calls, one workspace", [](kit::Case& test) { find(test, {5000, 1, 20000, 3000}); });
    grader.add("n=20480, both at the end", [](kit::Case& test) { find(test, {10 * kShare}, true); });
    grader.add("257 blocks, both at the end",
               [](kit::Case& test) { find(test, {kMaxThreads + kShare}, true); }, {15, true});
#ifndef KIT_CPU
    grader.add("1024 blocks, both at the end",
               [](kit::Case& test) { find(test, {kMaxBlocks * kShare}, true); });
    grader.add("n=30000001", [](kit::Case& test) { find(test, {30000001}); }, {60, true});
#endif
    return grader.run();
}
