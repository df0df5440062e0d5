// Grades 16_dynamic_parallelism/tail_loop: labels of connected vertices, in rounds that the host does not launch.
// sanitizer.racecheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.initcheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.synccheck: compute-sanitizer does not follow kernels that kernels launch
#include <string>
#include <vector>

#include "16_dynamic_parallelism/connected.hpp"
#include "16_dynamic_parallelism/launches.hpp"

namespace {

using namespace nested_test;
using nested::Edge;
using Edges = connected_test::Edges<Edge>;

struct Result {
    Launches launches;
    nested::LoopState state;
    std::vector<int> labels;
};

Result run(kit::Case& test, int n, const std::vector<Edge>& edges, int most_rounds) {
    auto in = test.input("edges", edges);
    auto labels = test.output<int>("labels", static_cast<std::size_t>(n));
    auto state = test.output<nested::LoopState>("state", 1);
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& race) -> kit::Said {
        const bool of_two_kernels =
            race.fix == kit::facts::Fix::stream_of_siblings || race.fix == kit::facts::Fix::parents_patience;
        return of_two_kernels ? "the loop reads the result of a round that has not ended: launch the loop "
                                "into the tail" +
                                    kit::task(3)
                              : "";
    });
#endif
    Result result;
    result.launches = counted_call(test, [&] {
        nested::tail_loop(in.data(), static_cast<int>(edges.size()), labels.data(), n, most_rounds,
                          state.data());
    });
    result.state = state.values()[0];
    if (most_rounds > n) test.expect(labels, connected_test::least_labels(n, edges));
    return result;
}

void judge(kit::Case& test, int n, const std::vector<Edge>& edges) {
    const Result result = run(test, n, edges, n + 1);
    test.check(result.state.rounds >= 1 && result.state.rounds <= n,
               "state->rounds is " + std::to_string(result.state.rounds) + ", but only 1 to " +
                   std::to_string(n) +
                   " are possible: count each round once, and stop when nothing has changed" + kit::task(2));
    test.equal("state->changed", result.state.changed, 0,
               "set it to 0 before each round, and stop after a round that leaves it 0");
    if (!launches_are_counted) return;
    const std::uint64_t rounds = static_cast<std::uint64_t>(result.state.rounds);
    test.demand("launches by the host", kit::exactly(result.launches.by_host, 2),
                kernels(result.launches.by_host) +
                    " launched by the host, expected 2: launch only set_up and the loop");
    test.demand("waits of the host", kit::exactly(result.launches.waits, 0),
                "the host waited for the device: let the loop decide on the device");
    test.demand("launches by kernels",
                kit::between(result.launches.by_kernels, edges.empty() ? 0 : 2 * rounds, 2 * rounds),
                kernels(result.launches.by_kernels) + " launched by kernels in " +
                    kit::count_of(rounds, "round") +
                    ": launch two per round, the step and the kernel that decides");
}

/// Runs in its own process. Returns whether the result is complete.
bool complete() {
    kit::Random random(1);
    const std::vector<Edge> edges = Edges::path(random, 60);
    kit::DeviceBuffer<Edge> in(edges);
    kit::DeviceBuffer<int> labels(60);
    kit::DeviceBuffer<nested::LoopState> state(1);
    nested::tail_loop(in.data(), 59, labels.data(), 60, 61, state.data());
    return cudaDeviceSynchronize() == cudaSuccess &&
           labels.to_vector() == connected_test::least_labels(60, edges);
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = error_handling::probe_asked(argc, argv)) return refused_main(what, complete);
    kit::Grader grader("16_dynamic_parallelism", "tail_loop", argc, argv);
    grader.task(2, kit::About().output("state->rounds"));
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::wrong_value, kit::Diagnosis::cuda_error});
    grader.add("given, with your Task 1: the host's loop, a path, n=60", [](kit::Case& test) {
        const std::vector<Edge> edges = Edges::path(test.random(), 60);
        auto in = test.input("edges", edges);
        auto labels = test.output<int>("labels", 60);
        auto state = test.output<nested::LoopState>("state", 1);
        test.call([&] { nested::host_loop(in.data(), 59, labels.data(), 60, 61, state.data()); });
        test.expect(labels, connected_test::least_labels(60, edges));
    });
    // Every edge matters, but few rounds are enough.
    for (int n : {258, 301})
        grader.add("a star, n=" + std::to_string(n), [n](kit::Case& test) {
            std::vector<Edge> edges;
            for (int v = 1; v < n; ++v) edges.push_back({0, v});
            judge(test, n, edges);
        });
    for (int n : {1, 2, 300}) {
        grader.add("no edges, n=" + std::to_string(n), [n](kit::Case& test) { judge(test, n, {}); });
    }
    for (int n : {2, 50, 150}) {
        grader.add("a path in random order, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, n, Edges::path(test.random(), n)); });
    }
    for (int m : {1, 255, 256, 257, 1000}) {
        grader.add("random edges, n=150, m=" + std::to_string(m),
                   [m](kit::Case& test) { judge(test, 150, Edges::random(test.random(), 150, m)); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("random edges, n=1000, m=17000003",
               [](kit::Case& test) { judge(test, 1000, Edges::random(test.random(), 1000, 17000003)); },
               {60, true});
#endif
    add_enough(grader, 8, 3, "let the loop launch itself into the tail, or all earlier rounds stay pending");
    add_refused(grader, {1, 2}, 3);
    grader.add("one edge, to itself", [](kit::Case& test) { judge(test, 5, {{3, 3}}); });
    grader.add("stops after one round", [](kit::Case& test) {
        const Result result = run(test, 300, Edges::path(test.random(), 300), 1);
        test.equal("state->rounds", result.state.rounds, 1, "stop after most_rounds, which is 1 here");
        test.equal("state->changed", result.state.changed, 1,
                   "keep the value of the last round, even if most_rounds ends the loop");
    });
    return grader.run();
}
