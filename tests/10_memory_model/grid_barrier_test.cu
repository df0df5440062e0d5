// Grades 10_memory_model/grid_barrier: many rounds in one launch, with blocks that are resident together.
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

void smooth(kit::Case& test, const std::vector<std::pair<int, int>>& calls) {
    auto arrivals = test.inout<unsigned int>("barrier.arrivals", {0});
    for (const auto& [n, rounds] : calls) {
        std::vector<int> now = kit::integers<int>(test.random(), n, 0, 999);
        auto even = test.inout("even", now);
        auto odd = test.output<int>("odd", n);
        arrivals.reset();
        test.call([&, n = n, rounds = rounds] {
            memory_model::grid_barrier(even.data(), odd.data(), n, rounds, {arrivals.data()});
        });
        std::vector<int> next(n);
        for (int r = 0; r < rounds; ++r) {
            for (int i = 0; i < n; ++i) next[i] = (now[(i + n - 1) % n] + now[(i + 1) % n]) % 1000;
            now.swap(next);
        }
        test.expect(rounds % 2 == 0 ? even : odd, now);
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "grid_barrier", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::second_call});
    grader.task(1, "on the side of the");
    grader.task(3, {kit::Diagnosis::timeout, kit::Diagnosis::cuda_error});
    const kit::CaseOptions waits{
        10, false, "blocks wait for others that are not resident, or for a barrier that is over"};
    grader.add(
        "one round",
        [](kit::Case& test) {
            smooth(test, {{1000, 1}});
        },
        waits);
    grader.add(
        "no round",
        [](kit::Case& test) {
            smooth(test, {{1000, 0}});
        },
        waits);
    grader.add(
        "one block, 5 rounds",
        [](kit::Case& test) {
            smooth(test, {{100, 5}});
        },
        waits);
    grader.add(
        "n=3001, 8 rounds",
        [](kit::Case& test) {
            smooth(test, {{3001, 8}});
        },
        waits);
    grader.add(
        "several calls, one barrier",
        [](kit::Case& test) {
            smooth(test, {{2000, 3}, {300, 4}, {2000, 6}});
        },
        waits);
#ifdef KIT_CPU
    // 131 blocks: the executor has no more than 128 of these resident, unless the launch is cooperative.
    grader.add("n=33343, 2 rounds",
               [](kit::Case& test) {
                   smooth(test, {{33343, 2}});
               },
               {15, true, waits.late});
#else
    // More threads than a device holds.
    grader.add("n=2000003, 20 rounds",
               [](kit::Case& test) {
                   smooth(test, {{2000003, 20}});
               },
               {60, true, waits.late});
#endif
    return grader.run();
}
