// Grades 14_graphs/memory_nodes: allocation and free nodes, any number of launches, and results that live between launches.
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"
#include "grader/timeline.hpp"

namespace {

using namespace graphs_test;

std::vector<int> reference(const std::vector<int>& in) {
    const std::size_t n = in.size();
    std::vector<int> sums(n), result(n);
    for (std::size_t i = 0; i < n; ++i) sums[i] = in[i] + in[(i + 1) % n];
    for (std::size_t i = 0; i < n; ++i) result[i] = sums[i] * sums[(i + 1) % n];
    return result;
}

/// Reads memory of the graph, which is possible only in stream order after the launch.
std::vector<int> read(kit::Case& test, const int* device, std::size_t n, cudaStream_t stream) {
    std::vector<int> values(n);
    test.cuda(cudaMemcpyAsync(values.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    test.cuda(cudaStreamSynchronize(stream));
    return values;
}

#ifdef KIT_CPU
/// Explains a kernel that runs during the capture: its stream is not captured, and the memory of the graph does not exist yet.
kit::Said why_it_runs(const kit::facts::Finding&) {
    for (const kit::cpu::QueuedPiece& piece : kit::cpu::take_timeline())
        if (piece.label.kind == kit::cpu::WorkKind::kernel)
            return "`" + kit::unqualified(piece.label.what) +
                   "` runs during the capture instead of being captured, because it is launched into " +
                   (piece.label.stream == 0 ? "the default stream" : "a different stream") +
                   ": launch it into `stream`" + kit::task(1);
    return "";
}
#endif

kit::Said wrong_shape(kit::Case& test, cudaGraph_t graph) {
    const Shape shape(test, graph);
    const std::size_t allocations = shape.count(test, cudaGraphNodeTypeMemAlloc);
    const std::size_t frees = shape.count(test, cudaGraphNodeTypeMemFree);
    const std::size_t kernels = shape.count(test, cudaGraphNodeTypeKernel);
    if (allocations != 2)
        return "the graph has " + count_of(allocations, "allocation node") +
               ", expected 2: allocate sums and result in the capture" + kit::task(1);
    if (frees != 1)
        return "the graph has " + count_of(frees, "free node") +
               ", expected 1: free sums in the capture, but not the result" + kit::task(1);
    if (kernels != 2)
        return "the graph has " + count_of(kernels, "kernel node") +
               ", expected 2: capture each kernel once" + kit::task(1);
    return shape.nodes.size() == 5 ? "" : "the graph has nodes other than these five: remove them";
}

void run(kit::Case& test, int n, int launches) {
    Stream stream;
    auto values = kit::integers<int>(test.random(), n, -10000, 10000);
    auto in = test.inout("in", values);
    const std::size_t free_before = free_memory(test);
    kit::Calls calls, released;
#ifdef KIT_CPU
    kit::cpu::begin_timeline();
    test.explain(kit::Diagnosis::out_of_bounds, why_it_runs);
    test.explain(kit::Diagnosis::cuda_error, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.rule != kit::facts::Rule::capture_not_repeated) return "";
        return "allocate with cudaMallocAsync() and free with cudaFreeAsync(), because the capture makes "
               "them nodes of the graph" +
               kit::task(1);
    });
#endif
    graphs::Filter filter =
        test.call([&] { return calls.in([&] { return graphs::record_filter(in.data(), n, stream); }); });
    test.explain(kit::Diagnosis::out_of_bounds, "");
    test.check(filter.graph != nullptr && filter.exec != nullptr && filter.result != nullptr,
               "record_filter() did not set graph, instance or result: set all three");
    if (filter.graph == nullptr || filter.exec == nullptr || filter.result == nullptr) return;
    const kit::Said wrong = wrong_shape(test, filter.graph);
    test.check(wrong.empty(), wrong);
    for (int launch = 0; launch < launches; ++launch) {
        if (launch > 0) {
            values = kit::integers<int>(test.random(), n, -10000, 10000);
            overwrite(test, in.data(), values);
        }
        const cudaError_t error = cudaGraphLaunch(filter.exec, stream);
        test.check(error == cudaSuccess,
                   "launch " + std::to_string(launch + 1) + " was refused: " + cudaGetErrorName(error) +
                       ". Let each launch free the result of the previous launch" + kit::task(2));
        if (error != cudaSuccess) {
            cudaGetLastError();
            break;
        }
        test.call([&] { test.cuda(cudaStreamSynchronize(stream)); });
        test.expect("result", read(test, filter.result, static_cast<std::size_t>(n), stream),
                    reference(values), kit::exact());
    }
    test.method("captures", calls.captures > 0,
                {"capturing allocations in stream order", "you added the memory nodes by hand",
                 "cudaMallocAsync in a capture becomes a node, so code for streams needs no change.", 1});
    test.demand("captures", kit::at_most(calls.captures, 1),
                "your code captures more than once: one capture is enough");
    test.demand("instances", kit::exactly(calls.instances, 1),
                "your code does not make exactly one instance: instantiate the graph once");
#ifdef KIT_CPU
    const int* result = filter.result;  // a GPU cannot report whether an address is allocated
#endif
    test.call([&] { released.in([&] { graphs::release(filter, launches > 0, stream); }); });
    test.demand("waits", kit::exactly(released.waits, 0),
                "release() makes the host wait: free the result in stream order, and return without waiting" +
                    kit::task(3));
    const auto instances = calls.instances_destroyed + released.instances_destroyed;
    test.demand(
        "instances",
        instances == 1 ? kit::exactly(calls.graphs_destroyed + released.graphs_destroyed, 1)
                       : kit::exactly(instances, 1),
        "release() does not destroy the instance and the graph exactly once: destroy each of them once" +
            kit::task(3));
#ifdef KIT_CPU
    cudaPointerAttributes attributes;
    test.cuda(cudaPointerGetAttributes(&attributes, result));
    test.check(attributes.type == cudaMemoryTypeUnregistered,
               "release() did not free the last result: free it with cudaFreeAsync()" + kit::task(3));
#endif
    const std::size_t free_after = free_memory(test);
    test.check(free_after >= free_before,
               kit::count_of(free_before - free_after, "byte") +
                   " of device memory are still in use after release(): free sums and result" + kit::task(3));
}

/// Queues launches without waiting between them: the result is that of the last launch.
void queued(kit::Case& test) {
    Stream stream;
    const int n = 2000;
    auto values = kit::integers<int>(test.random(), n, -10000, 10000);
    auto in = test.input("in", values);
    graphs::Filter filter = test.call([&] { return graphs::record_filter(in.data(), n, stream); });
    test.explain(kit::Diagnosis::out_of_bounds, wrong_shape(test, filter.graph));
    test.call([&] {
        for (int i = 0; i < 5; ++i) test.cuda(cudaGraphLaunch(filter.exec, stream));
    });
    test.expect("result", read(test, filter.result, static_cast<std::size_t>(n), stream), reference(values),
                kit::exact());
    test.call([&] { graphs::release(filter, true, stream); });
}

/// Releases while the launch and a copy of its result are still queued: the result must be freed in stream order.
void released_while_queued(kit::Case& test) {
    Stream stream;
    const std::size_t n = 20000;
    auto values = kit::integers<int>(test.random(), n, -10000, 10000);
    auto in = test.input("in", values);
    int* copy = nullptr;
    test.cuda(cudaMallocHost(&copy, n * sizeof(int)));
    graphs::Filter filter = test.call([&] { return graphs::record_filter(in.data(), n, stream); });
    test.explain(kit::Diagnosis::out_of_bounds, wrong_shape(test, filter.graph));
    test.call([&] {
        test.cuda(cudaGraphLaunch(filter.exec, stream));
        test.cuda(cudaMemcpyAsync(copy, filter.result, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        graphs::release(filter, true, stream);
    });
    test.expect("result", std::vector<int>(copy, copy + n), reference(values), kit::exact());
    test.cuda(cudaFreeHost(copy));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("14_graphs", "memory_nodes", argc, argv);
    grader.task(3, kit::About().rule(kit::facts::Rule::race).function("cudaFreeAsync").function("cudaFree"));
    grader.task(2, kit::About().rule(kit::facts::Rule::graph_memory_not_freed));
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::exited, kit::Diagnosis::cuda_error,
                    kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    for (int n : {1, 255, 256, 257, 1009, 20011}) {
        grader.add("n=" + std::to_string(n) + ", launched 3 times",
                   [n](kit::Case& test) { run(test, n, 3); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("n=17000003, launched twice", [](kit::Case& test) { run(test, 17000003, 2); }, {60, true});
#endif
    grader.add("n=1000, launched once", [](kit::Case& test) { run(test, 1000, 1); });
    grader.add("n=1000, never launched", [](kit::Case& test) { run(test, 1000, 0); });
    grader.add("n=2000, five launches queued", queued);
    grader.add("n=20000, released while the launch is queued", released_while_queued);
    error_handling::check_failing_calls(grader, argc, argv, {"n=1000, launched once"},
                                        error_handling::Checked::all_but_launches);
    return grader.run();
}
