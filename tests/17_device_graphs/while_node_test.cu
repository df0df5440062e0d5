// Grades 17_device_graphs/while_node: labels of connected vertices, in rounds of one node.
#include <algorithm>
#include <string>
#include <vector>

#include "16_dynamic_parallelism/connected.hpp"
#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;
using device_graphs::Edge;
using Edges = connected_test::Edges<Edge>;

/// Launches the graph so often; the device must begin anew each time.
void run(kit::Case& test, int n, const std::vector<Edge>& edges, int most_rounds, int launches) {
    Stream stream;
    auto in = test.input("edges", edges);
    auto labels = test.output<int>("labels", static_cast<std::size_t>(n));
    auto state = test.output<device_graphs::LoopState>("state", 1);
    const device_graphs::Labels work = {
        in.data(), static_cast<int>(edges.size()), labels.data(), n, most_rounds, state.data()};
    const Instance graph(test, made_by(test, [&] { return device_graphs::build_while(work); }));
    for (int i = 0; i < launches; ++i) {
        labels.reset();
        state.reset();
        const Ran ran = launch(test, graph, stream);
        const device_graphs::LoopState now = state.values()[0];
        if (most_rounds > n) {
            test.expect(labels, connected_test::least_labels(n, edges), kit::exact());
            test.equal("state->changed", now.changed, 0);
        }
        test.check(now.rounds >= 1 && now.rounds <= std::min(n, most_rounds),
                   "state->rounds is " + std::to_string(now.rounds) + "; between 1 and " +
                       std::to_string(std::min(n, most_rounds)) + " are possible");
        if (!is_counted) continue;
        const auto rounds = static_cast<std::uint64_t>(now.rounds);
        test.demand("bodies", ran.bodies == rounds,
                    "the body ran " + count_of(ran.bodies, "time") + ", and state->rounds says " +
                        std::to_string(rounds));
        test.demand("kernels", ran.kernels == 1 + 2 * rounds,
                    count_of(ran.kernels, "kernel") + " ran in " + count_of(rounds, "round") +
                        "; one sets up, and a round has two");
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "while_node", argc, argv);
    grader.task(1, {kit::Diagnosis::timeout});
    grader.task(2, {kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::cuda_error});
    for (int n : {1, 2, 300}) {
        grader.add("no edges, n=" + std::to_string(n), [n](kit::Case& test) { run(test, n, {}, n + 1, 1); });
    }
    for (int n : {2, 50, 150}) {
        grader.add("a path in random order, n=" + std::to_string(n) + ", launched twice",
                   [n](kit::Case& test) { run(test, n, Edges::path(test.random(), n), n + 1, 2); });
    }
    for (int m : {1, 255, 256, 257, 1000}) {
        grader.add("random edges, n=150, m=" + std::to_string(m),
                   [m](kit::Case& test) { run(test, 150, Edges::random(test.random(), 150, m), 151, 1); });
    }
    grader.add("stops after one round, and after three", [](kit::Case& test) {
        run(test, 300, Edges::path(test.random(), 300), 1, 2);
        run(test, 300, Edges::path(test.random(), 300), 3, 2);
    });
    grader.add("one edge, to itself", [](kit::Case& test) { run(test, 5, {{3, 3}}, 6, 1); });
#ifndef KIT_CPU
    grader.add(
        "random edges, n=1000, m=17000003",
        [](kit::Case& test) { run(test, 1000, Edges::random(test.random(), 1000, 17000003), 1001, 1); },
        {60, true});
#endif
    return grader.run();
}
