// Grades 10_memory_model/last_block: the range, in one launch, again and again.
#include <algorithm>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kMaxBlocks;
using memory_model::Range;

void find(kit::Case& test, const std::vector<int>& sizes) {
    auto ranges = test.output<Range>("work.ranges", kMaxBlocks);
    auto ticket = test.inout<int>("work.ticket", {0});
    for (int n : sizes) {
        auto values = kit::integers<int>(test.random(), n, -1000000, 1000000);
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
    grader.task(1, "on the side of the");
    for (int n : {1, 2047, 2048, 2049, 20011})
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { find(test, {n}); });
    grader.add("several calls, one workspace", [](kit::Case& test) { find(test, {5000, 1, 20000, 3000}); });
#ifndef KIT_CPU
    grader.add("n=30000001", [](kit::Case& test) { find(test, {30000001}); }, {60, true});
#endif
    return grader.run();
}
