// v6 and v7 of 14_graphs, for the demo: fifty batches that differ in size, address and values.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "compare.hpp"

namespace graphs {
void launch_batch(const Batch& batch, cudaStream_t stream);  // defined in update.cu, not in the contract
}

namespace batches {

using compare::Demo;
using compare::Instance;
using compare::Stream;
using compare::Version;

constexpr int count = 50;

/// Like graphs::retarget, for a batch of two kernels: both nodes get other parameters.
class TwoNodes {
  public:
    TwoNodes(const graphs::Batch& first, cudaStream_t stream) {
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        graphs::launch_batch(first, stream);
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        instance_ = Instance(graph);
        std::size_t one = 1, two = 2;
        cudaGraphNode_t nodes[2];
        CUDA_CHECK(cudaGraphGetRootNodes(graph, &scale_, &one));
        CUDA_CHECK(cudaGraphGetNodes(graph, nodes, &two));
        clamp_ = nodes[nodes[0] == scale_ ? 1 : 0];
        CUDA_CHECK(cudaGraphKernelNodeGetParams(scale_, &scale_params_));
        CUDA_CHECK(cudaGraphKernelNodeGetParams(clamp_, &clamp_params_));
    }

    void retarget(const graphs::Batch& batch) {
        graphs::Batch wanted = batch;
        float most = 1;
        void* scale_arguments[] = {&wanted.in, &wanted.out, &wanted.n, &wanted.scale};
        void* clamp_arguments[] = {&wanted.out, &wanted.n, &most};
        scale_params_.gridDim = clamp_params_.gridDim = dim3(kit::ceil_div(wanted.n, graphs::kBlock));
        scale_params_.kernelParams = scale_arguments;
        clamp_params_.kernelParams = clamp_arguments;
        CUDA_CHECK(cudaGraphExecKernelNodeSetParams(instance_.exec, scale_, &scale_params_));
        CUDA_CHECK(cudaGraphExecKernelNodeSetParams(instance_.exec, clamp_, &clamp_params_));
    }
    void launch(cudaStream_t stream) const { instance_.launch(stream); }

  private:
    Instance instance_;
    cudaGraphNode_t scale_ = nullptr, clamp_ = nullptr;
    cudaKernelNodeParams scale_params_ = {}, clamp_params_ = {};
};

/// Fifty batches, each with its own memory for its output.
struct Batches {
    Stream stream;
    std::vector<float> values;
    kit::DeviceBuffer<float> in, out;
    std::vector<graphs::Batch> all;

    Batches(int largest, bool clamp) : values(static_cast<std::size_t>(largest)), out(values.size() * count) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i * 2654435761u % 1021) / 1021;
        in = kit::DeviceBuffer<float>(values);
        for (int i = 0; i < count; ++i)
            all.push_back({in.data(), out.data() + std::size_t{values.size()} * static_cast<std::size_t>(i),
                           1 + i * 40503 % largest, 0.5f + static_cast<float>(i) / 16, clamp});
        start();
    }
    void start() {
        out.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    bool is_right() {
        const std::vector<float> got = out.to_vector();
        start();
        bool right = true;
        for (std::size_t batch = 0; batch < all.size(); ++batch) {
            const float* from = got.data() + batch * values.size();
            for (std::size_t i = 0; i < values.size(); ++i) {
                const float scaled = values[i] * all[batch].scale;
                const bool inside = static_cast<int>(i) < all[batch].n;
                right = right && from[i] == (!inside            ? 0
                                             : all[batch].clamp ? std::min(scaled, 1.0f)
                                                                : scaled);
            }
        }
        return right;
    }
};

/// The same fifty batches in every version: of one kernel each, or of two.
inline void show(Demo& demo, int largest, bool two) {
    const std::string table = two ? "batches_two" : "batches_one";
    if (!demo.part(table)) return;
    Batches b(largest, two);
    graphs::Server server;
    graphs::OneNode one = graphs::prepare({b.in.data(), b.out.data(), 1, 1, false});
    TwoNodes both({b.in.data(), b.out.data(), 1, 1, true}, b.stream);
    b.start();
    const auto version = [&b](const char* id, const char* name, const char* change, auto serve) {
        return Version{id, name, change,
                       [&b, serve](long long) {
                           for (const graphs::Batch& batch : b.all) serve(batch);
                       },
                       [&b](long long) { return b.is_right(); }};
    };
    std::vector<Version> versions = {
        version("stream", "launched, without a graph", "The kernels themselves, launched into the stream.",
                [&](const graphs::Batch& batch) { graphs::launch_batch(batch, b.stream); }),
        version("fresh", "a new instance each", "A capture and an instance for each batch.",
                [&](const graphs::Batch& batch) {
                    graphs::Server other;
                    graphs::serve(other, batch, b.stream);
                    graphs::close(other);
                }),
        version("v6", "capture and update", "A capture for each batch, and an update of the one instance.",
                [&](const graphs::Batch& batch) { graphs::serve(server, batch, b.stream); })};
    if (two) {
        versions.push_back(version("v7two", "parameters of both nodes", "No capture: two nodes are set.",
                                   [&](const graphs::Batch& batch) {
                                       both.retarget(batch);
                                       both.launch(b.stream);
                                   }));
    } else {
        versions.push_back(version("v7", "parameters of the node", "No capture: the one node is set.",
                                   [&](const graphs::Batch& batch) {
                                       graphs::retarget(one, batch);
                                       CUDA_CHECK(cudaGraphLaunch(one.exec, b.stream));
                                   }));
    }
    compare::versions(demo, table,
                      std::string("50 batches of ") + (two ? "two kernels" : "one kernel") + " each",
                      compare::by_host_clock(largest, "batch", count), versions);
    graphs::close(server);
    CUDA_CHECK(cudaGraphExecDestroy(one.exec));
    CUDA_CHECK(cudaGraphDestroy(one.graph));
}

}  // namespace batches
