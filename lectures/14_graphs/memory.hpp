// v8 of 14_graphs: memory of the graph, compared with memory from outside and memory of the stream. For the demo.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "compare.hpp"

namespace memory {

constexpr int launches = 20;

/// Launches the two kernels of memory_nodes.cu: in -> sums -> result.
using Kernels = std::function<void(const int* in, int* sums, int* result, int n, cudaStream_t stream)>;

inline void show(compare::Demo& demo, int n, const Kernels& kernels) {
    if (!demo.part("memory")) return;
    const compare::Stream stream;
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> values(size), want(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<int>(i * 2654435761u % 1021);
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t next = (i + 1) % size, after = (i + 2) % size;
        want[i] = (values[i] + values[next]) * (values[next] + values[after]);
    }
    kit::DeviceBuffer<int> in(values), sums(size), result(size);
    graphs::Filter filter = graphs::record_filter(in.data(), n, stream);
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    kernels(in.data(), sums.data(), result.data(), n, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    const compare::Instance outside(graph);
    int* of_stream = nullptr;  // the result of the stream's last round, freed by the next one
    bool launched = false;

    const auto holds = [&](int* found) {
        std::vector<int> got(size);
        CUDA_CHECK(cudaMemcpy(got.data(), found, size * sizeof(int), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemset(found, 0, size * sizeof(int)));
        CUDA_CHECK(cudaDeviceSynchronize());
        return got == want;
    };
    compare::versions(
        demo, "memory", "two kernels with two buffers of " + std::to_string(n) + " integers, 20 times",
        compare::by_host_clock(n, "launch", launches),
        {{"stream", "launches, cudaMallocAsync", "Memory of the stream: allocated and freed each time.",
          [&](long long) {
              for (int i = 0; i < launches; ++i) {
                  int* scratch = nullptr;
                  if (of_stream != nullptr) CUDA_CHECK(cudaFreeAsync(of_stream, stream));
                  CUDA_CHECK(cudaMallocAsync(&scratch, size * sizeof(int), stream));
                  CUDA_CHECK(cudaMallocAsync(&of_stream, size * sizeof(int), stream));
                  kernels(in.data(), scratch, of_stream, n, stream);
                  CUDA_CHECK(cudaFreeAsync(scratch, stream));
              }
          },
          [&](long long) { return holds(of_stream); }},
         {"v8", "graph, its own memory", "The graph allocates and frees.",
          [&](long long) {
              launched = true;
              for (int i = 0; i < launches; ++i) CUDA_CHECK(cudaGraphLaunch(filter.exec, stream));
          },
          [&](long long) { return holds(filter.result); }},
         {"outer", "graph, memory from outside", "The same kernels, without allocations.",
          [&](long long) {
              for (int i = 0; i < launches; ++i) outside.launch(stream);
          },
          [&](long long) { return holds(result.data()); }}});
    if (of_stream != nullptr) CUDA_CHECK(cudaFreeAsync(of_stream, stream));
    graphs::release(filter, launched, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace memory
