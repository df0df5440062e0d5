// A graph: nodes and edges, as cudaGraph_t and cudaGraphNode_t point to them. Called with the API lock held.
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
    std::vector<CUgraphNode_st*> before, after;  ///< other ends of its edges, in the order of their creation
    CUgraphNode_st* original = nullptr;          ///< the node that this one is a copy of
    bool enabled = true;  ///< false if disabled in an instance, see cudaGraphNodeSetEnabled
    bool for_upload =
        true;  ///< in an instance: whether the device lacks the host's changes of a node that kernels can change
    std::size_t index = 0;  ///< place in its graph, set by number_nodes
};

/// The object to which a cudaGraph_t points, with nodes in the order of their creation.
struct CUgraph_st {
    explicit CUgraph_st(bool public_handles);
    ~CUgraph_st();
    CUgraph_st(const CUgraph_st&) = delete;
    CUgraph_st& operator=(const CUgraph_st&) = delete;

    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    const bool public_handles;  ///< whether the program can know its handles; false inside an instance
    bool embedded = false;      ///< belongs to a node or to a capture: the program cannot destroy it
    int instances = 0;
    std::uint64_t born = 0;             ///< 0 if the program does not own it; see memory/leaks.hpp
    kit::cpu::Place made_at{};          ///< line that created it; unknown if it is not recorded
    const CUgraph_st* outer = nullptr;  ///< for a body, the graph with the conditional node
};

namespace kit::cpu {

/// Returns the graph or node behind a handle; null when it is not alive.
CUgraph_st* find_graph(cudaGraph_t handle);
CUgraphNode_st* find_node(cudaGraphNode_t handle);

/// Makes the graph, created at `place`, one that the program owns, and returns it.
CUgraph_st* publish(std::unique_ptr<CUgraph_st> graph, Place place);
/// Returns all graphs that the program owns.
std::vector<const CUgraph_st*> live_graphs();
void destroy_graph(CUgraph_st* graph);

CUgraphNode_st* add_node(CUgraph_st& graph, const std::vector<CUgraphNode_st*>& before, NodeTask task);
void add_edge(CUgraphNode_st& from, CUgraphNode_st& to);
bool has_edge(const CUgraphNode_st& from, const CUgraphNode_st& to);
bool remove_edge(CUgraphNode_st& from, CUgraphNode_st& to);
void remove_node(CUgraphNode_st* node);

/// Returns all nodes in the order of creation, except that each comes after the nodes that its edges come from. If the graph has a cycle,
/// some nodes are missing.
std::vector<CUgraphNode_st*> in_order(const CUgraph_st& graph);

/// Sets `index` in all nodes.
void number_nodes(const CUgraph_st& graph);

/// Returns a deep copy: child graphs, too. The copies know their originals.
std::unique_ptr<CUgraph_st> copy_graph(const CUgraph_st& graph, bool public_handles);

/// Returns the graphs within a node: of a child graph, the bodies of a conditional node.
std::vector<std::shared_ptr<CUgraph_st>> inner_graphs(const NodeTask& task);

/// Returns the first node with this property in the graph, or in a graph within it; null if there is none.
const CUgraphNode_st* find_anywhere(const CUgraph_st& graph,
                                    const std::function<bool(const CUgraphNode_st&)>& is);

/// Returns whether it is this graph, or a graph with a conditional node that contains this graph.
bool belongs_to(const CUgraph_st& graph, const CUgraph_st* whole);

bool has_memory_nodes(const CUgraph_st& graph);
bool has_conditional_nodes(const CUgraph_st& graph);

}  // namespace kit::cpu
