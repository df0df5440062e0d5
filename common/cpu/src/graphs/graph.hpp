// Graphs and nodes: the objects to which cudaGraph_t and cudaGraphNode_t point. Called with the API lock
// held.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "task.hpp"

/// The object to which a cudaGraphNode_t points.
struct CUgraphNode_st {
    CUgraph_st* graph = nullptr;
    kit::cpu::NodeTask task;
    std::vector<CUgraphNode_st*> before, after;  ///< the nodes at the other ends of its edges, in the order
                                                 ///< in which the edges were created
    CUgraphNode_st* original = nullptr;          ///< the node of which this node is a copy
    bool enabled = true;  ///< false if the program has disabled the node in an instance
                          ///< (cudaGraphNodeSetEnabled)
    bool for_upload =
        true;  ///< for a node of an instance that kernels can change: whether the host's changes have not
               ///< been uploaded
    std::size_t index = 0;  ///< index of the node in its graph, set by number_nodes()
};

/// The object to which a cudaGraph_t points. The nodes of a graph are in the order of their creation.
struct CUgraph_st {
    explicit CUgraph_st(bool public_handles);
    ~CUgraph_st();
    CUgraph_st(const CUgraph_st&) = delete;
    CUgraph_st& operator=(const CUgraph_st&) = delete;

    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    const bool public_handles;  ///< whether the program can get handles of its nodes; false for the graph in
                                ///< an instance
    bool embedded = false;      ///< whether the graph belongs to a node or to a capture, so the program
                                ///< cannot destroy it
    int instances = 0;
    std::uint64_t born = 0;             ///< creation time for the report of leaks (memory/leaks.hpp); 0 if
                                        ///< the program does not own the graph
    kit::cpu::Place made_at{};          ///< the line that created the graph, if recorded
    const CUgraph_st* outer = nullptr;  ///< for the body of a conditional node: the graph that contains this
                                        ///< node
};

namespace kit::cpu {

/// Returns the graph for a handle; null if it does not exist.
CUgraph_st* find_graph(cudaGraph_t handle);
CUgraphNode_st* find_node(cudaGraphNode_t handle);

/// Makes the program the owner of a graph, which was created at `place`, and returns the graph.
CUgraph_st* publish(std::unique_ptr<CUgraph_st> graph, Place place);
/// Returns all graphs that the program owns.
std::vector<const CUgraph_st*> live_graphs();
void destroy_graph(CUgraph_st* graph);

CUgraphNode_st* add_node(CUgraph_st& graph, const std::vector<CUgraphNode_st*>& before, NodeTask task);
void add_edge(CUgraphNode_st& from, CUgraphNode_st& to);
bool has_edge(const CUgraphNode_st& from, const CUgraphNode_st& to);
bool remove_edge(CUgraphNode_st& from, CUgraphNode_st& to);
void remove_node(CUgraphNode_st* node);

/// Returns the nodes in an order in which each node comes after the nodes at the start of its edges;
/// otherwise in the order of creation. If the graph has a cycle, some nodes are missing.
std::vector<CUgraphNode_st*> in_order(const CUgraph_st& graph);

/// Sets `index` in all nodes of the graph.
void number_nodes(const CUgraph_st& graph);

/// Returns a deep copy, which includes child graphs. Each copied node refers to its original.
std::unique_ptr<CUgraph_st> copy_graph(const CUgraph_st& graph, bool public_handles);

/// Returns the graphs in a node: the child graph, or the bodies of a conditional node.
std::vector<std::shared_ptr<CUgraph_st>> inner_graphs(const NodeTask& task);

/// Returns the first node with this property in the graph or in a graph inside one of its nodes; null if
/// there is none.
const CUgraphNode_st* find_anywhere(const CUgraph_st& graph,
                                    const std::function<bool(const CUgraphNode_st&)>& is);

/// Returns whether `graph` is `whole` or the body of a conditional node in it, at any depth.
bool belongs_to(const CUgraph_st& graph, const CUgraph_st* whole);

bool has_memory_nodes(const CUgraph_st& graph);
bool has_conditional_nodes(const CUgraph_st& graph);

}  // namespace kit::cpu
