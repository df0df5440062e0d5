// Checks the arrays of nodes and edges that a program passes to graph functions.
#pragma once

#include <algorithm>

#include "graph.hpp"

namespace kit::cpu {

/// Converts an array of handles to nodes. Returns false unless each is a node of this graph and none occurs
/// twice.
inline bool nodes_of(const CUgraph_st& graph, const cudaGraphNode_t* handles, std::size_t count,
                     std::vector<CUgraphNode_st*>& nodes) {
    if (count > 0 && !handles) return false;
    for (std::size_t i = 0; i < count; ++i) {
        CUgraphNode_st* const node = find_node(handles[i]);
        if (!node || node->graph != &graph || std::find(nodes.begin(), nodes.end(), node) != nodes.end())
            return false;
        nodes.push_back(node);
    }
    return true;
}

/// Returns whether all edges wait for whole nodes. The executor supports no other edges.
inline bool plain_edges(const cudaGraphEdgeData* data, std::size_t count) {
    for (std::size_t i = 0; data && i < count; ++i)
        if (data[i].from_port || data[i].to_port || data[i].type) return false;
    return true;
}

}  // namespace kit::cpu
