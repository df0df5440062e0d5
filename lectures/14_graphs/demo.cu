// Demo of 14_graphs: what a launch costs, in a stream and in a graph. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.14_graphs
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/14_graphs/demo.cu
//            solutions/14_graphs/*.cu -o demo
// Run:   ./demo [--json FILE]
//
//   1  three kernels, 100 iterations: v1 iterate, with and without waiting; v2 replay; 10 iterations in a graph
//   2  what a graph costs per launch and per node: 1 to 1000 empty kernels
//   3  what it costs to make: capture, instantiation, upload, update of all of it, update of one node
//   4  v3 chain against v4 fork_join
//   5  v6 serve against a new instance for each batch; v7 retarget
//   6  v8: memory of the graph against memory from outside, and how much is reserved
//
// On a GPU: medians of times, all in microseconds. On the CPU executor: counts.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // what the demo itself asks of the runtime counts, too
#include "kit.cuh"
#include "report.hpp"

namespace {

using namespace report;

__global__ void do_nothing() {}

// ---- 1: three kernels, many iterations ----

void three_kernels(int n) {
    constexpr int iterations = 100;
    Stream stream;
    const auto size = static_cast<std::size_t>(n);
    kit::DeviceBuffer<unsigned int> a(size), b(size), c(size), round(1);
    a.clear();
    round.clear();
    CUDA_CHECK(cudaDeviceSynchronize());
    const graphs::State state = {a.data(), b.data(), c.data(), round.data(), n};
    graphs::Recording one = graphs::record(state, stream);
    graphs::Recording ten;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 10; ++i) graphs::iterate(state, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &ten.graph));
    CUDA_CHECK(cudaGraphInstantiate(&ten.exec, ten.graph, 0));

    const auto waiting = [&] {
        for (int i = 0; i < iterations; ++i) {
            graphs::iterate(state, stream);
            CUDA_CHECK(cudaStreamSynchronize(stream));
        }
    };
    const auto streaming = [&] {
        for (int i = 0; i < iterations; ++i) graphs::iterate(state, stream);
    };
    const std::string part = "three kernels";
    print(measure(part, "v1 stream, a wait per iteration", n, stream, waiting, iterations));
    print(measure(part, "v1 stream, one wait", n, stream, streaming, iterations));
    print(measure(
        part, "v2 graph of one iteration", n, stream, [&] { graphs::replay(one, iterations, stream); },
        iterations));
    print(measure(
        part, "v2 graph of ten iterations", n, stream, [&] { graphs::replay(ten, iterations / 10, stream); },
        iterations));
    graphs::discard(one);
    graphs::discard(ten);
}

// ---- 2: per launch and per node ----

cudaGraph_t empty_kernels(int nodes, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < nodes; ++i) do_nothing<<<1, 32, 0, stream>>>();
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

void launch_costs(int nodes) {
    Stream stream;
    cudaGraph_t graph = empty_kernels(nodes, stream);
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    const std::string part = "launch costs";
    print(measure(part, "stream: so many launches", nodes, stream, [&] {
        for (int i = 0; i < nodes; ++i) do_nothing<<<1, 32, 0, stream>>>();
    }));
    print(measure(part, "graph: one launch", nodes, stream,
                  [&] { CUDA_CHECK(cudaGraphLaunch(exec, stream)); }));
    print(measure(
        part, "graph: one of 100 launches", nodes, stream,
        [&] {
            for (int i = 0; i < 100; ++i) CUDA_CHECK(cudaGraphLaunch(exec, stream));
        },
        100));

    // ---- 3: what it costs to make ----
    print(measure("making", "capture", nodes, stream,
                  [&] { CUDA_CHECK(cudaGraphDestroy(empty_kernels(nodes, stream))); }));
    print(measure("making", "instantiate and destroy", nodes, stream, [&] {
        cudaGraphExec_t other = nullptr;
        CUDA_CHECK(cudaGraphInstantiate(&other, graph, 0));
        CUDA_CHECK(cudaGraphExecDestroy(other));
    }));
    print(measure("making", "upload", nodes, stream, [&] { CUDA_CHECK(cudaGraphUpload(exec, stream)); }));
    cudaGraphExecUpdateResultInfo info;
    print(measure("making", "update of the whole graph", nodes, stream,
                  [&] { CUDA_CHECK(cudaGraphExecUpdate(exec, graph, &info)); }));
    cudaGraphNode_t root = nullptr;
    std::size_t count = 1;
    CUDA_CHECK(cudaGraphGetRootNodes(graph, &root, &count));
    cudaKernelNodeParams params = {};
    CUDA_CHECK(cudaGraphKernelNodeGetParams(root, &params));
    print(measure("making", "update of one node", nodes, stream,
                  [&] { CUDA_CHECK(cudaGraphExecKernelNodeSetParams(exec, root, &params)); }));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

// ---- 4: branches ----

void branches(int n) {
    Stream main, side[2];
    graphs::Lanes lanes = {main, {side[0], side[1]}, nullptr, {nullptr, nullptr}};
    for (cudaEvent_t* event : {&lanes.fork, &lanes.done[0], &lanes.done[1]})
        CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    const auto size = static_cast<std::size_t>(n);
    kit::DeviceBuffer<int> in(size), work(size), smallest(1), largest(1);
    kit::DeviceBuffer<long long> total(1), out(size);
    in.clear();
    CUDA_CHECK(cudaDeviceSynchronize());
    const graphs::Summary summary = {
        in.data(), work.data(), smallest.data(), largest.data(), total.data(), out.data(), n};
    for (const bool fork : {false, true}) {
        cudaGraph_t graph = fork ? graphs::fork_join(summary, lanes) : graphs::chain(summary, lanes);
        cudaGraphExec_t exec = nullptr;
        CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
        print(measure("branches", fork ? "v4 fork and join" : "v3 chain", n, main,
                      [&] { CUDA_CHECK(cudaGraphLaunch(exec, main)); }));
        CUDA_CHECK(cudaGraphExecDestroy(exec));
        CUDA_CHECK(cudaGraphDestroy(graph));
    }
    for (cudaEvent_t event : {lanes.fork, lanes.done[0], lanes.done[1]}) CUDA_CHECK(cudaEventDestroy(event));
}

// ---- 5: batches of changing size ----

void batches() {
    constexpr int count = 50, largest = 1 << 16;
    Stream stream;
    kit::DeviceBuffer<float> in(largest), out(largest);
    in.clear();
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto batch = [&](int i, bool clamp) {
        return graphs::Batch{in.data(), out.data(), 1000 + i * 997 % (largest - 1000),
                             1.0f + static_cast<float>(i), clamp};
    };
    const std::string part = "batches";
    print(measure(
        part, "a new instance for each batch", count, stream,
        [&] {
            for (int i = 0; i < count; ++i) {
                graphs::Server server;
                graphs::serve(server, batch(i, true), stream);
                graphs::close(server);
            }
        },
        count));
    graphs::Server server;
    print(measure(
        part, "v6 capture and update", count, stream,
        [&] {
            for (int i = 0; i < count; ++i) graphs::serve(server, batch(i, true), stream);
        },
        count));
    graphs::close(server);
    graphs::OneNode one = graphs::prepare(batch(0, false));
    print(measure(
        part, "v7 parameters of one node", count, stream,
        [&] {
            for (int i = 0; i < count; ++i) {
                graphs::retarget(one, batch(i, false));
                CUDA_CHECK(cudaGraphLaunch(one.exec, stream));
            }
        },
        count));
    CUDA_CHECK(cudaGraphExecDestroy(one.exec));
    CUDA_CHECK(cudaGraphDestroy(one.graph));
}

// ---- 6: memory ----

__global__ void touch(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

/// Two buffers whose lives do not overlap, or do. Bytes that graphs reserve while the instance exists and has run.
unsigned long long reserved_by(bool overlap, int n, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    int *first = nullptr, *second = nullptr;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(int);
    const int blocks = kit::ceil_div(n, graphs::kBlock);
    CUDA_CHECK(cudaDeviceGraphMemTrim(0));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMallocAsync(&first, bytes, stream));
    touch<<<blocks, graphs::kBlock, 0, stream>>>(first, n);
    if (!overlap) CUDA_CHECK(cudaFreeAsync(first, stream));
    CUDA_CHECK(cudaMallocAsync(&second, bytes, stream));
    touch<<<blocks, graphs::kBlock, 0, stream>>>(second, n);
    if (overlap) CUDA_CHECK(cudaFreeAsync(first, stream));
    CUDA_CHECK(cudaFreeAsync(second, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    unsigned long long reserved = 0;
    CUDA_CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return reserved;
}

Reserved memory(int n) {
    Stream stream;
    kit::DeviceBuffer<int> in(static_cast<std::size_t>(n));
    in.clear();
    CUDA_CHECK(cudaDeviceSynchronize());
    graphs::Filter filter = graphs::record_filter(in.data(), n, stream);
    print(measure("memory", "v8 two allocations in the graph", n, stream,
                  [&] { CUDA_CHECK(cudaGraphLaunch(filter.exec, stream)); }));
    graphs::release(filter, true, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    kit::DeviceBuffer<int> sums(static_cast<std::size_t>(n)), result(static_cast<std::size_t>(n));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    const int blocks = kit::ceil_div(n, graphs::kBlock);
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    touch<<<blocks, graphs::kBlock, 0, stream>>>(sums.data(), n);
    touch<<<blocks, graphs::kBlock, 0, stream>>>(result.data(), n);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    print(measure("memory", "two kernels, memory from outside", n, stream,
                  [&] { CUDA_CHECK(cudaGraphLaunch(exec, stream)); }));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    const Reserved reserved = {reserved_by(false, 1 << 22, stream), reserved_by(true, 1 << 22, stream)};
#ifndef KIT_CPU
    std::printf(
        "two buffers of 16 MiB: graphs reserve %llu bytes if their lives do not overlap, %llu if they do\n",
        reserved.apart, reserved.overlapping);
#endif
    return reserved;
}

}  // namespace

int main(int argc, char** argv) {
    const char* json = argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr;
    if (argc > 1 && json == nullptr) {
        std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
        return 2;
    }
#ifdef KIT_CPU
    const std::vector<int> sizes = {1 << 10}, nodes = {1, 3, 100};
#else
    const std::vector<int> sizes = {1 << 10, 1 << 20, 1 << 24}, nodes = {1, 3, 10, 100, 1000};
#endif
    std::printf("14_graphs   %s\n", device_name().c_str());
    title("1. Three kernels, 100 iterations (per iteration; size: elements)");
    for (int n : sizes) three_kernels(n);
    title("2, 3. Launching and making graphs of empty kernels (size: nodes)");
    for (int count : nodes) launch_costs(count);
    title("4. Three reductions (size: elements)");
    for (int n : sizes) {
        if (n <= 1 << 20) branches(n);  // one block reduces them all
    }
    title("5. Fifty batches (per batch; size: batches)");
    batches();
    title("6. Memory of the graph (size: elements)");
    const Reserved reserved = memory(sizes.size() > 1 ? 1 << 20 : 1 << 10);
    if (json == nullptr) return 0;
    std::FILE* out = std::fopen(json, "w");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", json);
        return 1;
    }
    write_json(out, reserved);
    std::fclose(out);
    return 0;
}
