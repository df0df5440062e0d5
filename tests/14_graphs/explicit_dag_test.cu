// Grades 14_graphs/explicit_dag: the types of the nodes, the edges one by one, then the sums.
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"

namespace {

using namespace graphs_test;

/// Records the calls of the host function, and the values that it sees.
struct Listener {
    const unsigned long long* total;
    int calls = 0;
    unsigned long long seen = 0;

    static void tell(void* context) {
        auto* self = static_cast<Listener*>(context);
        ++self->calls;
        self->seen = *self->total;
    }
};

struct Wanted {
    const char* name;
    cudaGraphNode_t node;
    cudaGraphNodeType type;
    std::vector<int> after;  ///< indices of the nodes that it waits for
    kit::Said task;
};

/// Returns a sentence for each wrong node or edge.
std::vector<kit::Said> wrong_shape(kit::Case& test, cudaGraph_t graph, const graphs::DagNodes& nodes) {
    std::vector<kit::Said> wrong;
    const std::vector<Wanted> wanted = {
        {"upload", nodes.upload, cudaGraphNodeTypeMemcpy, {}, kit::named_task(1)},
        {"clear", nodes.clear, cudaGraphNodeTypeMemset, {}, kit::named_task(1)},
        {"square", nodes.square, cudaGraphNodeTypeKernel, {0}, kit::named_task(2)},
        {"add_up", nodes.add_up, cudaGraphNodeTypeKernel, {1, 2}, kit::named_task(2)},
        {"download", nodes.download, cudaGraphNodeTypeMemcpy, {3}, kit::named_task(3)},
        {"tell", nodes.tell, cudaGraphNodeTypeHost, {4}, kit::named_task(3)}};
    const Shape shape(test, graph);
    for (const Wanted& one : wanted) {
        const kit::Said name = "the node " + kit::subject(one.name) + " ";
        if (std::find(shape.nodes.begin(), shape.nodes.end(), one.node) == shape.nodes.end()) {
            wrong.push_back(name + "is not in the graph: add it (" + one.task + ")");
            continue;
        }
        cudaGraphNodeType type;
        test.cuda(cudaGraphNodeGetType(one.node, &type));
        if (type != one.type)
            wrong.push_back(name + "has the wrong type: add it with the function for its type (" + one.task +
                            ")");
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        for (std::size_t j = 0; j < wanted.size(); ++j) {
            const auto& after = wanted[i].after;
            const bool want = std::find(after.begin(), after.end(), static_cast<int>(j)) != after.end();
            const bool got = shape.edge(wanted[j].node, wanted[i].node);
            const kit::Said both = kit::subject(wanted[i].name) + " ";
            const kit::Said end = std::string(" `") + wanted[j].name + "` (" + wanted[i].task + ")";
            if (want && !got) wrong.push_back(both + "must wait, so add an edge from" + end);
            if (!want && got) wrong.push_back(both + "need not wait, so remove the edge from" + end);
        }
    }
    if (shape.nodes.size() != 6)
        wrong.push_back("the graph has " + count_of(shape.nodes.size(), "node") +
                        ", expected 6: add each node once");
    return wrong;
}

void run(kit::Case& test, int n) {
    Stream stream;
    kit::Pinned<int> host_in(n);
    kit::Pinned<unsigned long long> host_total(1);
    auto in = test.output<int>("in", n);
    auto squares = test.output<int>("squares", n);
    auto total = test.output<unsigned long long>("total", 1);
    Listener listener{host_total.data};
    graphs::Dag dag = {host_in.data,    in.data(),      squares.data(), total.data(),
                       host_total.data, Listener::tell, &listener,      n};
    graphs::DagNodes nodes = {};
    kit::Calls calls;
    cudaGraph_t graph = test.call([&] { return calls.in([&] { return graphs::build_dag(dag, nodes); }); });
    test.check(graph != nullptr, "build_dag() returned no graph: return the graph that you build");
    if (graph == nullptr) return;
    for (const kit::Said& wrong : wrong_shape(test, graph, nodes)) test.check(false, wrong);
    test.method("captures", calls.captures == 0,
                {"building a graph node by node", "you started " + count_of(calls.captures, "capture"),
                 "A graph that is built by hand has exactly the nodes and edges that you name, and you keep "
                 "the handles to change them later.",
                 1});
    cudaGraphExec_t exec = nullptr;
    test.cuda(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 1; launch <= 3; ++launch) {
        const auto values = kit::integers<int>(test.random(), n, -30000, 30000);
        std::vector<int> want_squares;
        unsigned long long want = 0;
        for (int i = 0; i < n; ++i) {
            host_in.data[i] = values[i];
            want_squares.push_back(values[i] * values[i]);
            want += static_cast<unsigned long long>(want_squares.back());
        }
        *host_total.data = 0;
        squares.reset();
        test.call([&] { test.cuda(cudaGraphLaunch(exec, stream)); });
        test.expect(squares, want_squares, kit::exact());
        const unsigned long long summed = total.values()[0];
        test.check(summed <= want, "the squares are correct, but `total` is " + std::to_string(summed) +
                                       ", " + std::to_string(summed - want) +
                                       " too large: set all 8 bytes of it to 0 at each launch" +
                                       kit::task(1));
        const bool on_device = summed == want;
        test.check(*host_total.data == want || !on_device,
                   "`total` is correct on the device, but host_total is " + std::to_string(*host_total.data) +
                       ", not " + std::to_string(want) + ": copy all its bytes" + kit::task(3));
        test.expect("host_total", std::vector<unsigned long long>{*host_total.data}, {want}, kit::exact());
        test.equal("calls of the host function with dag.context", listener.calls, launch,
                   "add one host node, and pass it dag.context" + kit::task(3));
        test.check(listener.seen == want,
                   "the host function was called before host_total was written: let it wait for the copy" +
                       kit::task(3));
    }
    test.cuda(cudaGraphExecDestroy(exec));
    test.cuda(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("14_graphs", "explicit_dag", argc, argv);
    // The host reads the arguments of a kernel node through pointers.
    grader.task(
        2, kit::About().rule(kit::facts::Rule::touched_by_host).rule(kit::facts::Rule::touched_by_host_far));
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    for (const char* const copied : {"in", "total"})  // or the memory that is cleared
        grader.task(1, kit::About().diagnosis(kit::Diagnosis::uninitialised).on(copied));
    grader.task(2, kit::About().diagnosis(kit::Diagnosis::uninitialised).on("squares"));
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::crash, kit::Diagnosis::wrong_value});
    for (int n : {1, 255, 256, 257, 1009, 20011}) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { run(test, n); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003); }, {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"n=257"}, error_handling::Checked::all);
    return grader.run();
}
