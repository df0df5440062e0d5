// Grades 14_graphs/fork_join: the shape of the graph, then its results.
#include <cxxabi.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"
#include "grader/timeline.hpp"

namespace {

using namespace graphs_test;

struct OwnLanes {
    OwnLanes() {
        for (cudaEvent_t* event : {&lanes.fork, &lanes.done[0], &lanes.done[1]})
            cudaEventCreateWithFlags(event, cudaEventDisableTiming);
        lanes.main = main;
        lanes.side[0] = side[0];
        lanes.side[1] = side[1];
    }
    ~OwnLanes() {
        for (cudaEvent_t event : {lanes.fork, lanes.done[0], lanes.done[1]}) cudaEventDestroy(event);
    }
    Stream main, side[2];
    graphs::Lanes lanes = {};
};

struct Expected {
    std::vector<int> work;
    int smallest, largest;
    long long total;
    std::vector<long long> out;

    explicit Expected(const std::vector<int>& in) {
        for (int value : in) work.push_back(value * 3 + 1);
        smallest = *std::min_element(work.begin(), work.end());
        largest = *std::max_element(work.begin(), work.end());
        total = std::accumulate(work.begin(), work.end(), 0LL);
        long long span = static_cast<long long>(largest) - smallest + 1;
        for (int value : work) out.push_back(static_cast<long long>(value) - smallest + total / span);
    }
};

/// Returns the name of the kernel of a node, such as find_total.
std::string name_of(cudaGraphNode_t node) {
    cudaKernelNodeParams params = {};
    const char* mangled = nullptr;
    if (cudaGraphKernelNodeGetParams(node, &params) != cudaSuccess ||
        cudaFuncGetName(&mangled, params.func) != cudaSuccess) {
        cudaGetLastError();
        return "a kernel";
    }
    char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
    std::string name = text != nullptr ? text : mangled;
    std::free(text);
    name = name.substr(0, name.find('('));
    return "`" + name.substr(name.rfind(':') + 1) + "`";
}

/// Returns the kernels that the graph lacks. A kernel in a stream that does not take part has run immediately instead of being captured.
std::vector<kit::Said> wrong_nodes(const Shape& shape, const std::vector<std::string>& run_at_once) {
    std::vector<kit::Said> wrong;
    for (const auto& [kernel, task] :
         {std::pair("prepare_values", kit::named_task(1)), std::pair("find_smallest", kit::named_task(2)),
          std::pair("find_largest", kit::named_task(2)), std::pair("find_total", kit::named_task(2)),
          std::pair("combine", kit::named_task(3))}) {
        const kit::Said name = kit::subject(kernel);
        const auto is_it = [&](cudaGraphNode_t node) { return name_of(node) == name.text; };
        if (std::any_of(shape.nodes.begin(), shape.nodes.end(), is_it)) continue;
        const bool has_run = std::find(run_at_once.begin(), run_at_once.end(), kernel) != run_at_once.end();
        const bool is_branch = task.tasks == std::vector<int>{2};
        kit::Said why = std::string("never launched, so launch it in the capture (") + task + ")";
        if (has_run && is_branch)
            why =
                "launched into a stream that has not joined the capture, so let each side stream wait for an "
                "event that is recorded in the capture" +
                kit::task(1);
        else if (has_run)
            why = std::string(
                      "launched while its stream is not capturing, so launch it between begin and end (") +
                  task + ")";
#ifndef KIT_CPU
        why =
            "never launched, or launched into a stream that is not capturing, so launch it into a stream of "
            "the capture";
#endif
        wrong.push_back("the graph has no node for " + name + ", because it is " + why);
    }
    return wrong;
}

#ifdef KIT_CPU
/// Explains a kernel that runs during the capture: its stream is not captured, so the kernel ran immediately and the others did not.
kit::Said why_it_runs(const kit::facts::Finding& found) {
    for (const kit::cpu::QueuedPiece& piece : kit::cpu::take_timeline()) {
        const std::string name = kit::unqualified(piece.label.what);
        if (name != kit::unqualified(found.kernel) && name != kit::unqualified(found.who.name)) continue;
        return "`" + name + "` runs during the capture, because its stream " +
               (piece.label.stream == 0
                    ? "is the default stream, which cannot be captured: use a side stream" + kit::task(2)
                    : "has not joined the capture: let it wait for an event of the capture" + kit::task(1));
    }
    return "";
}
#endif

/// Returns a sentence for each mistake in the shape, edge by edge.
std::vector<kit::Said> wrong_shape(kit::Case& test, cudaGraph_t graph,
                                   const std::vector<std::string>& run_at_once) {
    const Shape shape(test, graph);
    if (std::vector<kit::Said> wrong = wrong_nodes(shape, run_at_once); !wrong.empty()) return wrong;
    if (shape.nodes.size() != 5 || shape.count(test, cudaGraphNodeTypeKernel) != 5)
        return {"the graph has " + count_of(shape.nodes.size(), "node") +
                ", expected 5 kernels: capture each kernel once"};
    std::vector<kit::Said> wrong;
    const auto roots = shape.roots(), leaves = shape.leaves();
    const auto names = [](const std::vector<cudaGraphNode_t>& nodes) {
        std::string text;
        for (cudaGraphNode_t node : nodes) text += (text.empty() ? "" : ", ") + name_of(node);
        return text;
    };
    if (roots.size() != 1)
        wrong.push_back(
            names(roots) +
            " are the first nodes, but only prepare_values should be: let each branch wait for it" +
            kit::task(1));
    if (leaves.size() != 1)
        wrong.push_back("nothing waits for " + names(leaves) + ": let combine wait for all branches" +
                        kit::task(3));
    if (!wrong.empty()) return wrong;
    const cudaGraphNode_t first = roots[0], last = leaves[0];
    for (cudaGraphNode_t node : shape.nodes) {
        if (node == first || node == last) continue;
        for (cudaGraphNode_t other : shape.nodes) {
            if (other != first && other != last && shape.edge(other, node))
                wrong.push_back(
                    name_of(node) + " waits for " + name_of(other) +
                    ", so one branch waits for another: let each reduction wait only for prepare_values" +
                    kit::task(2));
        }
    }
    for (cudaGraphNode_t node : shape.nodes) {
        if (node != first && node != last && !shape.edge(node, last))
            wrong.push_back(name_of(last) + " does not wait for " + name_of(node) +
                            " itself: let it wait for each branch" + kit::task(3));
    }
    if (shape.edge(first, last))
        wrong.push_back(name_of(last) + " waits for " + name_of(first) +
                        " directly: remove this edge, because the branches already wait for it");
    return wrong;
}

void run(kit::Case& test, int n, int largest_value) {
    OwnLanes own;
    auto values = kit::integers<int>(test.random(), n, -largest_value, largest_value);
    auto in = test.inout("in", values);
    auto work = test.output<int>("work", n);
    auto smallest = test.output<int>("smallest", 1);
    auto largest = test.output<int>("largest", 1);
    auto total = test.output<long long>("total", 1);
    auto out = test.output<long long>("out", n);
    graphs::Summary summary = {
        in.data(), work.data(), smallest.data(), largest.data(), total.data(), out.data(), n};
    kit::Calls calls;
    std::vector<std::string> run_at_once;
#ifdef KIT_CPU
    kit::cpu::begin_timeline();
    test.explain(kit::Diagnosis::uninitialised, why_it_runs);
#endif
    cudaGraph_t graph =
        test.call([&] { return calls.in([&] { return graphs::fork_join(summary, own.lanes); }); });
#ifdef KIT_CPU
    for (const kit::cpu::QueuedPiece& piece : kit::cpu::take_timeline())
        run_at_once.push_back(kit::unqualified(piece.label.what));
#endif
    test.explain(kit::Diagnosis::uninitialised, "");
    test.check(graph != nullptr,
               "fork_join() returned no graph: end the capture, and return its graph" + kit::task(3));
    if (graph == nullptr) return;
    for (const kit::Said& wrong : wrong_shape(test, graph, run_at_once)) test.check(false, wrong);
    test.method(
        "captures", calls.captures > 0,
        {"a capture that forks into several streams and joins them", "you built the graph node by node",
         "Events carry a capture from stream to stream, so code that is written for streams becomes a graph "
         "as it is. explicit_dag is the exercise for graphs that are built by hand.",
         1});
    test.demand("captures", kit::at_most(calls.captures, 1),
                "there were " + count_of(calls.captures, "capture") +
                    ", but one is enough: let the side streams join it");
    for (cudaStream_t stream : {own.lanes.main, own.lanes.side[0], own.lanes.side[1]}) {
        cudaStreamCaptureStatus status;
        test.cuda(cudaStreamIsCapturing(stream, &status));
        test.check(status == cudaStreamCaptureStatusNone,
                   "a stream is still capturing: join it, and end the capture");
    }
    cudaGraphExec_t exec = nullptr;
    test.cuda(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; ++launch) {
        for (const auto* one : {&smallest, &largest}) one->reset();
        total.reset();
        work.reset();
        out.reset();
        if (launch == 1) {
            values = kit::integers<int>(test.random(), n, -largest_value / 2, largest_value / 3);
            overwrite(test, in.data(), values);
        }
        test.call([&] { test.cuda(cudaGraphLaunch(exec, own.lanes.main)); });
        const Expected want(values);
        test.expect(smallest, {want.smallest}, kit::exact());
        test.expect(largest, {want.largest}, kit::exact());
        test.expect(total, {want.total}, kit::exact());
        test.expect(out, want.out, kit::exact());
    }
    test.cuda(cudaGraphExecDestroy(exec));
    test.cuda(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("14_graphs", "fork_join", argc, argv);
    grader.task(2, {kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::exited, kit::Diagnosis::cuda_error});
    // The event's stream does not wait for the fork, or the event is recorded before the capture starts.
    grader.task(1, kit::About().rule(kit::facts::Rule::capture_event_from_outside));
    grader.task(1, kit::About().error("cudaErrorStreamCaptureIsolation"));
    // The test waits for the device while the capture has not ended.
    grader.task(3, kit::About().function("cudaDeviceSynchronize"));
    for (int n : {1, 255, 256, 257, 1009, 20011}) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { run(test, n, 100000); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003, 100000); }, {60, true});
#endif
    grader.add("n=3001, values whose sum needs 64 bits", [](kit::Case& test) { run(test, 3001, 700000000); });
    error_handling::check_failing_calls(grader, argc, argv, {"n=257"},
                                        error_handling::Checked::all_but_launches);
    return grader.run();
}
