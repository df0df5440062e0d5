// v3, v4 and v5 of 14_graphs: branches, and a graph node by node, each compared with the same work in a chain. For the demo.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "compare.hpp"

namespace shapes {

using compare::Demo;
using compare::Instance;
using compare::Stream;
using compare::Version;

inline std::vector<int> numbers(long long n, int below) {
    std::vector<int> all(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i * 2654435761u % 65521) % below;
    return all;
}

struct Lanes {
    Stream main, side[2];
    graphs::Lanes lanes = {main, {side[0], side[1]}, nullptr, {nullptr, nullptr}};
    Lanes() {
        for (cudaEvent_t* event : {&lanes.fork, &lanes.done[0], &lanes.done[1]})
            CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
    ~Lanes() {
        for (cudaEvent_t event : {lanes.fork, lanes.done[0], lanes.done[1]}) cudaEventDestroy(event);
    }
};

/// v3 and v4 for one size, and the results that they must find.
struct Branches {
    std::vector<int> values;
    kit::DeviceBuffer<int> in, work, smallest, largest;
    kit::DeviceBuffer<long long> total, out;
    Instance chain, fork;

    Branches(long long n, const graphs::Lanes& lanes)
        : values(numbers(n, 1000)),
          in(values),
          work(values.size()),
          smallest(1),
          largest(1),
          total(1),
          out(values.size()) {
        const graphs::Summary summary = {in.data(),    work.data(), smallest.data(),    largest.data(),
                                         total.data(), out.data(),  static_cast<int>(n)};
        chain = Instance(graphs::chain(summary, lanes));
        fork = Instance(graphs::fork_join(summary, lanes));
        out.clear();
    }
    bool is_right() {
        std::vector<long long> want(values.begin(), values.end());
        long long sum = 0;
        for (long long& value : want) sum += value = value * 3 + 1;
        const auto [least, most] = std::minmax_element(want.begin(), want.end());
        const long long smallest_one = *least, more = sum / (*most - *least + 1);
        for (long long& value : want) value += more - smallest_one;
        const bool right = out.to_vector() == want;
        out.clear();
        return right;
    }
};

inline void branches(Demo& demo, const std::vector<long long>& sizes) {
    if (!demo.part("branches")) return;
    Lanes lanes;
    std::map<long long, Branches> all;
    for (const long long n : sizes) all.try_emplace(n, n, lanes.lanes);
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto right = [&](long long n) { return all.at(n).is_right(); };
    compare::over_sizes(demo, "branches", "five kernels, three of which may run at the same time", sizes,
                        {{"v3", "chain", "Each waits for the one before.",
                          [&](long long n) { all.at(n).chain.launch(lanes.main); }, right},
                         {"v4", "fork and join", "Three branches, of one block each.",
                          [&](long long n) { all.at(n).fork.launch(lanes.main); }, right}});
}

/// Three kernels that fill the device and do not depend on each other. `copy` is the kernel (from, to, n).
inline void full(Demo& demo, int n, void* copy) {
    if (!demo.part("full")) return;
    const Stream stream;
    const std::vector<int> values = numbers(n, 65521);
    kit::DeviceBuffer<int> in(values), out[3];
    for (auto& one : out) one = kit::DeviceBuffer<int>(values.size());
    const auto made = [&](bool chained) {
        cudaGraph_t graph = nullptr;
        cudaGraphNode_t last = nullptr, node = nullptr;
        CUDA_CHECK(cudaGraphCreate(&graph, 0));
        for (auto& one : out) {
            int *from = in.data(), *to = one.data();
            void* arguments[] = {&from, &to, &n};
            cudaKernelNodeParams params = {};
            params.func = copy;
            params.gridDim = dim3(kit::ceil_div(n, graphs::kBlock));
            params.blockDim = dim3(graphs::kBlock);
            params.kernelParams = arguments;
            CUDA_CHECK(
                cudaGraphAddKernelNode(&node, graph, &last, chained && last != nullptr ? 1 : 0, &params));
            last = node;
        }
        return Instance(graph);
    };
    const Instance row = made(true), side = made(false);
    const auto right = [&](long long) {
        bool all = true;
        for (auto& one : out) {
            all = all && one.to_vector() == values;
            one.clear();
        }
        return all;
    };
    compare::Work work = compare::by_host_clock(n);
    work.bytes = 3.0 * 2 * sizeof(int) * n;
    compare::versions(
        demo, "full", "three copies of " + std::to_string(n) + " integers, by kernels that fill the GPU",
        work,
        {{"row", "in a row", "Each waits for the one before.", [&](long long) { row.launch(stream); }, right},
         {"side", "side by side", "Three nodes without an edge.", [&](long long) { side.launch(stream); },
          right}});
}

struct Told {
    const unsigned long long* total;
    unsigned long long heard;
};

inline void hear(void* context) {
    Told* told = static_cast<Told*>(context);
    told->heard = *told->total;
}

/// v5, and the same six steps as six calls.
inline void nodes(Demo& demo, int n) {
    if (!demo.part("nodes")) return;
    const Stream stream;
    const std::vector<int> values = numbers(n, 1000);
    unsigned long long want = 0;
    for (const int value : values)
        want += static_cast<unsigned long long>(value) * static_cast<unsigned>(value);
    const std::size_t bytes = values.size() * sizeof(int);
    int* host_in = nullptr;
    unsigned long long* host_total = nullptr;
    CUDA_CHECK(cudaMallocHost(&host_in, bytes));
    CUDA_CHECK(cudaMallocHost(&host_total, sizeof *host_total));
    std::copy(values.begin(), values.end(), host_in);
    *host_total = 0;
    kit::DeviceBuffer<int> in(values.size()), squares(values.size());
    kit::DeviceBuffer<unsigned long long> total(1);
    Told told = {host_total, 0};
    graphs::DagNodes handles;
    const graphs::Dag dag = {host_in, in.data(), squares.data(), total.data(), host_total, hear, &told, n};
    const Instance instance(graphs::build_dag(dag, handles));
    const auto launch_kernel_of = [&](cudaGraphNode_t node) {
        cudaKernelNodeParams p;
        CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &p));
        CUDA_CHECK(cudaLaunchKernel(p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes, stream));
    };
    const auto right = [&](long long) {
        const bool heard = told.heard == want && *host_total == want;
        told.heard = *host_total = 0;
        return heard;
    };
    compare::versions(
        demo, "nodes", "sum of " + std::to_string(n) + " squares: copies, memset, kernels, host function",
        compare::by_host_clock(n),
        {{"stream", "six calls", "One call after the other, in one stream.",
          [&](long long) {
              CUDA_CHECK(cudaMemcpyAsync(in.data(), host_in, bytes, cudaMemcpyHostToDevice, stream));
              CUDA_CHECK(cudaMemsetAsync(total.data(), 0, sizeof *host_total, stream));
              launch_kernel_of(handles.square);
              launch_kernel_of(handles.add_up);
              CUDA_CHECK(cudaMemcpyAsync(host_total, total.data(), sizeof *host_total, cudaMemcpyDeviceToHost,
                                         stream));
              CUDA_CHECK(cudaLaunchHostFunc(stream, hear, &told));
          },
          right},
         {"v5", "six nodes", "One launch; the memset waits for nothing.",
          [&](long long) { instance.launch(stream); }, right}});
    CUDA_CHECK(cudaFreeHost(host_in));
    CUDA_CHECK(cudaFreeHost(host_total));
}

}  // namespace shapes
