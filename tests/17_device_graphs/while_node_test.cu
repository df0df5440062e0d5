// Grades 17_device_graphs/while_node: labels of connected vertices, in rounds of one WHILE node.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "16_dynamic_parallelism/connected.hpp"
#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;
using device_graphs::Edge;
using Edges = connected_test::Edges<Edge>;

/// Launches the graph `launches` times; each launch must start again from the beginning.
void run(kit::Case& test, int n, const std::vector<Edge>& edges, int most_rounds, int launches) {
    Stream stream;
    auto in = test.input("edges", edges);
    auto labels = test.output<int>("labels", static_cast<std::size_t>(n));
    auto state = test.output<device_graphs::LoopState>("state", 1);
    const device_graphs::Labels work = {
        in.data(), static_cast<int>(edges.size()), labels.data(), n, most_rounds, state.data()};
    const Instance graph(test, graph_made_by(test, [&] { return device_graphs::build_while(work); }));
    for (int i = 0; i < launches; ++i) {
        labels.reset();
        state.reset();
        const Ran ran = launch(test, graph, stream);
        if (is_counted) {
            test.demand(
                "bodies", kit::exactly(ran.if_bodies, 0),
                "the body of an IF node ran: use a WHILE node, which repeats its body" + kit::task(2));
            test.demand("bodies", kit::at_least(ran.while_bodies + ran.if_bodies, 1),
                        "the body of the WHILE node did not run: let its condition be 1 at each launch" +
                            kit::task(2));
        }
        const device_graphs::LoopState now = state.values()[0];
        const std::string rounds_are = "state->rounds is " + std::to_string(now.rounds);
        test.check(now.rounds <= most_rounds, rounds_are + ", but most_rounds is " +
                                                  std::to_string(most_rounds) +
                                                  ": end the loop after most_rounds" + kit::task(1));
        test.check(now.rounds <= n, rounds_are + " for n=" + std::to_string(n) +
                                        ": end the loop after a round that has changed nothing" +
                                        kit::task(1));
        test.check(now.rounds >= 1, rounds_are + ", but the first round always runs: count it");
        const std::vector<int> least = connected_test::least_labels(n, edges);
        std::vector<int> first(least.size());
        std::iota(first.begin(), first.end(), 0);
        const std::vector<int> got = labels.values();
        // The last round has changed something if a further round would, or if it was the only round and has. If no further round followed
        // although most_rounds allowed one, the last round has changed nothing.
        const bool stopped = now.rounds == most_rounds;
        const bool must_have = stopped && (got != least || (most_rounds == 1 && got != first));
        const bool must_not_have = now.rounds < most_rounds || (stopped && most_rounds == 1 && got == first);
        test.check(!must_have || now.changed != 0,
                   "state->changed is 0 after " + count_of(static_cast<std::uint64_t>(now.rounds), "round") +
                       ", but the last of them changed labels: keep the value of the last round, even if "
                       "most_rounds ends the loop" +
                       kit::task(1));
        if (most_rounds > n) test.expect(labels, least, kit::exact());
        test.check(!must_not_have || now.changed == 0, "state->changed is " + std::to_string(now.changed) +
                                                           " after the last round, which changed "
                                                           "nothing: set it to 0 before each round");
        if (!is_counted) continue;
        const auto rounds = static_cast<std::uint64_t>(now.rounds);
        test.demand("bodies", kit::exactly(ran.while_bodies, rounds),
                    "the body of the WHILE node ran " + count_of(ran.while_bodies, "time") +
                        ", but state->rounds is " + std::to_string(rounds) +
                        ": count each round once, when you decide that it runs" + kit::task(1));
        // A round has two kernels, and a third kernel may reset the state.
        test.demand("kernels", kit::between(ran.kernels, 1 + 2 * rounds, 3 + 3 * rounds),
                    count_of(ran.kernels, "kernel") + " ran in " + count_of(rounds, "round") +
                        ": run one to set up, and two in each round" + kit::task(3));
    }
}

[[maybe_unused]] void left_behind(kit::Case& test) {
    auto in = test.input("edges", std::vector<Edge>{{1, 0}});
    auto labels = test.output<int>("labels", 2);
    auto state = test.output<device_graphs::LoopState>("state", 1);
    const device_graphs::Labels work = {in.data(), 1, labels.data(), 2, 3, state.data()};
    const cudaGraph_t graph = graph_made_by(test, [&] { return device_graphs::build_while(work); });
    expect_nothing_left(test, {1, 0});
    if (graph != nullptr) test.cuda(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "while_node", argc, argv);
    grader.task(0, kit::About().demand("waits"));  // any task may contain the call
    // A missing edge: before the node, or in its body.
    grader.task(2, kit::About().kernel("device_graphs::set_up"));
    grader.task(3, kit::About().fix(kit::facts::Fix::edge));
    for (const int task : {1, 3}) grader.task(task, kit::About::endless());
    grader.task(1, {kit::Diagnosis::timeout, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::not_written,
                    kit::Diagnosis::tail, kit::Diagnosis::cuda_error});
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
    // Every edge matters, but few rounds are enough.
    for (const int n : {258, 301})
        grader.add("a star, n=" + std::to_string(n), [n](kit::Case& test) {
            std::vector<Edge> edges;
            for (int v = 1; v < n; ++v) edges.push_back({0, v});
            run(test, n, edges, n + 1, 1);
        });
    grader.add("stops after one round, and after three", [](kit::Case& test) {
        run(test, 300, Edges::path(test.random(), 300), 1, 2);
        run(test, 300, Edges::path(test.random(), 300), 3, 2);
    });
    grader.add("the only round changes something, or nothing", [](kit::Case& test) {
        run(test, 2, {{1, 0}}, 1, 2);
        run(test, 300, {{7, 7}}, 1, 2);
    });
    grader.add("one edge, to itself", [](kit::Case& test) { run(test, 5, {{3, 3}}, 6, 1); });
#ifdef KIT_CPU  // it counts what is left behind
    grader.add("nothing is left behind", left_behind);
#else
    grader.add(
        "random edges, n=1000, m=17000003",
        [](kit::Case& test) { run(test, 1000, Edges::random(test.random(), 1000, 17000003), 1001, 1); },
        {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"no edges, n=2"}, error_handling::Checked::all);
    return grader.run();
}
