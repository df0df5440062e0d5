// Shared by the tests of the topic: the free memory, and the shape of a graph.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "grader.cuh"
#include "grader/calls.hpp"
#include "handles.hpp"

namespace graphs_test {

using kit::Stream;

/// Returns the free bytes of device memory. A GPU has other users, so there the result is always the same.
inline std::size_t free_memory([[maybe_unused]] kit::Case& test) {
    std::size_t free = 0;
#ifdef KIT_CPU
    std::size_t total = 0;
    test.cuda(cudaMemGetInfo(&free, &total));
#endif
    return free;
}

/// The nodes and edges of a graph, as handles.
struct Shape {
    std::vector<cudaGraphNode_t> nodes, from, to;

    Shape(kit::Case& test, cudaGraph_t graph) {
        std::size_t count = 0;
        test.cuda(cudaGraphGetNodes(graph, nullptr, &count));
        nodes.resize(count);
        if (count > 0) test.cuda(cudaGraphGetNodes(graph, nodes.data(), &count));
        test.cuda(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
        from.resize(count);
        to.resize(count);
        if (count > 0) test.cuda(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count));
    }

    std::size_t count(kit::Case& test, cudaGraphNodeType type) const {
        std::size_t found = 0;
        for (cudaGraphNode_t node : nodes) {
            cudaGraphNodeType is;
            test.cuda(cudaGraphNodeGetType(node, &is));
            found += is == type;
        }
        return found;
    }

    bool edge(cudaGraphNode_t a, cudaGraphNode_t b) const {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] == a && to[i] == b) return true;
        return false;
    }

    /// Returns the nodes that are not among `ends`: with `to` the nodes without an incoming edge, with `from` those without an outgoing one.
    std::vector<cudaGraphNode_t> without(const std::vector<cudaGraphNode_t>& ends) const {
        std::vector<cudaGraphNode_t> found;
        for (cudaGraphNode_t node : nodes)
            if (std::find(ends.begin(), ends.end(), node) == ends.end()) found.push_back(node);
        return found;
    }
    std::vector<cudaGraphNode_t> roots() const { return without(to); }
    std::vector<cudaGraphNode_t> leaves() const { return without(from); }
};

using kit::count_of;

/// Overwrites device memory of the student, after all earlier and before all later work.
template <class T>
void overwrite(kit::Case& test, T* device, const std::vector<T>& values) {
    test.cuda(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    test.cuda(cudaDeviceSynchronize());
}

}  // namespace graphs_test
