// Grades 15_work_queues/phases: the levels of a graph, in one launch, without waits of the host.
// sanitizer.case: n=
#include <string>
#include <utility>
#include <vector>

#include "15_work_queues/tasks.hpp"
#include "grader/devices.hpp"

namespace {

using namespace queues_test;
using work_queues::Graph;

/// Builds a graph from rows of neighbours.
struct HostGraph {
    std::vector<int> row_start, neighbour;
};

HostGraph from_edges(int n, const std::vector<std::pair<int, int>>& edges) {
    std::vector<std::vector<int>> rows(static_cast<std::size_t>(n));
    for (const auto& [from, to] : edges) rows[static_cast<std::size_t>(from)].push_back(to);
    HostGraph graph;
    for (const std::vector<int>& row : rows) {
        graph.row_start.push_back(static_cast<int>(graph.neighbour.size()));
        graph.neighbour.insert(graph.neighbour.end(), row.begin(), row.end());
    }
    graph.row_start.push_back(static_cast<int>(graph.neighbour.size()));
    return graph;
}

/// A chain: as many levels as vertices, with one vertex each.
HostGraph chain(int n) {
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
    return from_edges(n, edges);
}

/// A random graph: each vertex has few neighbours or, rarely, many.
HostGraph random_graph(kit::Random& random, int n) {
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < n; ++v) {
        const int degree = v % 97 == 0 ? 60 : static_cast<int>(random.integer(0, 3));
        for (int k = 0; k < degree; ++k) edges.push_back({v, static_cast<int>(random.integer(0, n - 1))});
    }
    return from_edges(n, edges);
}

std::vector<int> levels_of(const HostGraph& graph, int source) {
    std::vector<int> levels(graph.row_start.size() - 1, -1), now = {source};
    levels[static_cast<std::size_t>(source)] = 0;
    for (int level = 1; !now.empty(); ++level) {
        std::vector<int> next;
        for (const int v : now) {
            for (int e = graph.row_start[static_cast<std::size_t>(v)];
                 e < graph.row_start[static_cast<std::size_t>(v) + 1]; ++e) {
                const int other = graph.neighbour[static_cast<std::size_t>(e)];
                if (levels[static_cast<std::size_t>(other)] >= 0) continue;
                levels[static_cast<std::size_t>(other)] = level;
                next.push_back(other);
            }
        }
        now.swap(next);
    }
    return levels;
}

#ifdef KIT_CPU
/// Explains a race with a plain write: only the code before the first level writes labels and the first list plainly.
kit::Said cause_of(const kit::facts::Finding& race) {
    if (race.accesses.size() != 2) return "";
    const kit::facts::Access &one = race.accesses[0], &other = race.accesses[1];
    const bool plain_write = (one.write && !one.atomic) || (other.write && !other.atomic);
    if (!plain_write) return "";
    const kit::facts::Access &writer = one.write && !one.atomic ? one : other,
                             &second = &writer == &one ? other : one;
    const std::string& name = race.memory.name;
    if (writer.at.caller.line > 0) return "";                 // the write is in visit()
    const bool two_writers = second.write && !second.atomic;  // two writers of the start itself
    const bool sets_up = name == "levels" || name == "now" ||
                         (name == "sizes" && !second.write && writer.at.line < second.at.line);
    return sets_up && !two_writers ? "a block starts the first level before everything is set up: put a "
                                     "grid.sync() between the two" +
                                         kit::task(1)
                                   : "";
}
#endif

using Search = void (*)(Graph, int, int*, work_queues::Frontier);

void judge(kit::Case& test, const HostGraph& graph, const std::vector<int>& sources,
           Search search = work_queues::phases) {
    const std::size_t n = graph.row_start.size() - 1;
    auto rows = test.input("row_start", graph.row_start);
    auto neighbours = test.input("neighbour", graph.neighbour);
    // The lists are partly unwritten, and are not compared.
    auto now = test.output<int>("now", n);
    auto next = test.output<int>("next", n);
    auto sizes = test.output<unsigned int>("sizes", 3);
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& race) { return cause_of(race); });
    test.explain(kit::Diagnosis::uninitialised, [](const kit::facts::Finding& found) -> kit::Said {
        const bool of_a_list = found.memory.name == "now" || found.memory.name == "next";
        if (!of_a_list || found.memory.element == "now[0]" || found.memory.element == "next[0]") return "";
        return "a level does not read the list that the previous level has filled: exchange the two lists "
               "after "
               "each level" +
               kit::task(2);
    });
#endif
    for (const int source : sources) {
        auto levels = test.output<int>("levels", n);
        const Did did = counted_call(test, [&] {
            search({static_cast<int>(n), rows.data(), neighbours.data()}, source, levels.data(),
                   {now.data(), next.data(), sizes.data()});
        });
        test.expect(levels, levels_of(graph, source));
        if (!did.counted || search != work_queues::phases) continue;
        test.demand("launches", kit::exactly(did.kernels, 1),
                    kit::count_of(did.kernels, "launch") + ", but only one is allowed: run all levels in it" +
                        kit::task(3));
        test.demand("launches", kit::exactly(did.others, 0),
                    did.besides +
                        " is queued in addition to the launch: queue only one launch, and let the kernel set "
                        "everything up" +
                        kit::task(1));
        test.demand("waits of the host", kit::exactly(did.waits, 0),
                    "the host waited " + kit::count_of(did.waits, "time") +
                        ": let the blocks decide whether there is another level" + kit::task(3));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "phases", argc, argv);
    grader.task(1, kit::About().between(1, 2));  // all blocks must see the initial state
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::barrier,
                    kit::Diagnosis::out_of_bounds});
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::not_written});
    grader.task(3, {kit::Diagnosis::timeout, kit::Diagnosis::cuda_error});
    grader.task(3, kit::About().rule(kit::facts::Rule::grid_sync_refused));
    // the wrong value is an argument of the launch
    grader.task(3, kit::About().rule(kit::facts::Rule::null_pointer).rule(kit::facts::Rule::nothing_there));
    grader.task(2, kit::About().rule(kit::facts::Rule::grid_sync_left));
    const kit::CaseOptions waits{10, false,
                                 "blocks wait for others that are not resident, or have left: launch at most "
                                 "as many as can be resident, and let all blocks reach every grid.sync()"};
    for (const int n : {1, 2, 255, 257, 3001}) {
        grader.add(
            "random graph, n=" + std::to_string(n),
            [n](kit::Case& test) {
                judge(test, random_graph(test.random(), n), {0, n - 1, n / 2});
            },
            waits);
    }
    grader.add(
        "a chain of 300",
        [](kit::Case& test) {
            judge(test, chain(300), {0, 290});
        },
        waits);
    grader.add(
        "no edges, n=600", [](kit::Case& test) { judge(test, from_edges(600, {}), {599}); }, waits);
    grader.add(
        "given: by the host",
        [](kit::Case& test) {
            judge(test, random_graph(test.random(), 700), {0, 5}, work_queues::phases_by_host);
        },
        waits);
    // More vertices than the device holds threads. The executor needs 2 s for the 270,336 threads of an H200, so here it
    // acts as a T4 with 40,960.
    grader.add("more vertices than threads",
               [](kit::Case& test) {
                   const kit::CurrentDevice device("t4");
                   int processors = 0, threads = 0;
                   test.cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
                   test.cuda(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
                   std::vector<std::pair<int, int>> star;
                   for (int v = 1; v < 500; ++v) star.push_back({0, v * 17});
                   judge(test, from_edges(processors * threads + 1000, star), {0});
               },
               {60, true, waits.late});
#ifndef KIT_CPU
    grader.add("2000003 vertices",
               [](kit::Case& test) { judge(test, random_graph(test.random(), 2000003), {0}); },
               {60, true, waits.late});
#endif
    return grader.run();
}
