// Grades 10_memory_model/last_block: the range, in one launch, in repeated calls.
#include <algorithm>
#include <climits>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kMaxBlocks;
using memory_model::Range;

constexpr int kShare = 8 * memory_model::kBlock;            // values of a block in the given launch
constexpr int kMaxThreads = kShare * memory_model::kBlock;  // values of kBlock blocks

/// Finds the wrong half if the result is wrong: either all tickets are drawn and no block resets the ticket, or all blocks have stored
/// correct ranges.
void judge_halves([[maybe_unused]] kit::Case& test, [[maybe_unused]] const std::vector<Range>& ranges,
                  [[maybe_unused]] int ticket, [[maybe_unused]] Range got, [[maybe_unused]] Range want) {
#ifdef KIT_CPU
    if (got.low == want.low && got.high == want.high) return;
    const auto blocks = static_cast<std::size_t>(kit::cpu::counters().blocks);
    if (static_cast<std::size_t>(ticket) == blocks)
        return test.check(false,
                          "no block decides that it is the last one: `work.ticket` is " +
                              std::to_string(ticket) +
                              " after the call, so all blocks have drawn a ticket, the last one " +
                              std::to_string(ticket - 1) +
                              ". Compare the drawn ticket with the number of blocks - 1" + kit::task(1),
                          kit::Diagnosis::part);
    Range all{INT_MAX, INT_MIN};
    for (std::size_t b = 0; b < std::min(blocks, ranges.size()); ++b)
        all = {std::min(all.low, ranges[b].low), std::max(all.high, ranges[b].high)};
    test.check(all.low != want.low || all.high != want.high,
               "all blocks have stored correct ranges in `work.ranges`, but the result is not the range of "
               "all of them: let the last block combine every range" +
                   kit::task(2),
               kit::Diagnosis::part);
#endif
}

/// `at_the_end`: the lowest and the highest value are both in the share of the last block.
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
        test.method(
            "kernels", kernels <= 1,
            {"finding the last block with a ticket, in one launch",
             "you launched " + kit::count_of(kernels, "kernel") + ", whose order replaces the ticket",
             "The ticket shows how blocks of one kernel hand over data by release and acquire. A second "
             "launch needs neither, but costs its own latency each time.",
             1});
        test.demand("kernels", kit::at_least(kernels, 1),
                    "no kernel ran, so the host did the work: let a kernel do it");
#endif
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        const Range got = out.values()[0];
        if (at_the_end && n > kMaxThreads)
            test.check(got.low == *low && got.high == *high,
                       "the range is " + std::to_string(got.low) + " to " + std::to_string(got.high) +
                           ", expected " + std::to_string(*low) + " to " + std::to_string(*high) +
                           ". Both expected ends are in the share of the last block. " +
                           kit::count_of(kit::ceil_div(n, kShare), "block") +
                           " stored a range, but a block has fewer threads, so let each thread "
                           "combine several ranges" +
                           kit::task(2),
                       kit::Diagnosis::part);
        else
            judge_halves(test, ranges.values(), ticket.values()[0], got, {*low, *high});
        test.expect("low and high", std::vector<int>{got.low, got.high}, {*low, *high});
        test.check(ticket.values()[0] == 0,
                   "`work.ticket` is not 0 after the call: let the last block reset it, or the next call "
                   "finds no last block",
                   kit::Diagnosis::second_call);
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "last_block", argc, argv);
    grader.task(2, {kit::Diagnosis::second_call, kit::Diagnosis::not_written});
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(1, kit::About::either_half());
    // A plain store resets the ticket while blocks draw it.
    grader.task(2, kit::About().on("work.ticket").fix(kit::facts::Fix::second_atomic));
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
