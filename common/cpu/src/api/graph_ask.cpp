// API functions that return the nodes and edges of a graph.
#include <cuda_runtime_api.h>

#include <cstring>
#include <fstream>

#include "api.hpp"
#include "graphs/graph.hpp"
#include "graphs/graph_memory.hpp"
#include "graphs/node_params.hpp"

using namespace kit::cpu;

namespace {

/// Copies handles into the caller's array of *count elements and fills the rest with null. Without an array,
/// only stores the number of handles.
cudaError_t give(const std::vector<CUgraphNode_st*>& nodes, cudaGraphNode_t* array, std::size_t* count) {
    if (!count) return cudaErrorInvalidValue;
    if (array) {
        for (std::size_t i = 0; i < *count; ++i) array[i] = i < nodes.size() ? nodes[i] : nullptr;
        *count = std::min(*count, nodes.size());
    } else {
        *count = nodes.size();
    }
    return cudaSuccess;
}

void give_plain_edges(cudaGraphEdgeData* data, std::size_t count) {
    if (data) std::memset(data, 0, count * sizeof *data);
}

template <class Body>
cudaError_t with_graph(cudaGraph_t handle, Body body) {
    return api_call([&] { return find_graph(handle) ? body(*handle) : cudaErrorInvalidValue; });
}

template <class Body>
cudaError_t with_node(cudaGraphNode_t handle, Body body) {
    return api_call([&] { return find_node(handle) ? body(*handle) : cudaErrorInvalidValue; });
}

template <class Params>
cudaError_t get_params(cudaGraphNode_t handle, Params* params) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        return params && params_of(node.task, *params) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

template <class Task>
cudaError_t get_event(cudaGraphNode_t handle, cudaEvent_t* event) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const auto* const task = std::get_if<Task>(&node.task);
        if (!task || !event) return cudaErrorInvalidValue;
        *event = task->event;
        return cudaSuccess;
    });
}

/// Returns the text that a drawing of the graph shows for a node.
std::string label_of_node(const NodeTask& task) {
    const std::string kernel = kernel_of(task);
    return kernel.empty() ? name_of(type_of(task)) : "kernel `" + kernel + "`";
}

/// Prints the graph in the DOT language: one box per node, and a cluster for each child graph.
void print_dot(std::ostream& out, const CUgraph_st& graph, const std::string& prefix) {
    number_nodes(graph);
    const auto name = [&](const CUgraphNode_st& node) {
        return "\"" + prefix + std::to_string(node.index) + "\"";
    };
    for (const auto& node : graph.nodes) {
        out << "  " << name(*node) << " [label=\"" << node->index << "\\n"
            << label_of_node(node->task) << "\"];\n";
        if (const auto* child = std::get_if<ChildTask>(&node->task)) {
            const std::string inside = prefix + std::to_string(node->index) + ".";
            out << "  subgraph \"cluster_" << inside << "\" {\n";
            print_dot(out, *child->graph, inside);
            out << "  }\n";
        }
    }
    for (const auto& node : graph.nodes)
        for (const CUgraphNode_st* later : node->after)
            out << "  " << name(*node) << " -> " << name(*later) << ";\n";
}

}  // namespace

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
    return with_graph(handle, [&](const CUgraph_st& graph) {
        std::vector<CUgraphNode_st*> all;
        for (const auto& node : graph.nodes) all.push_back(node.get());
        return give(all, nodes, count);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
    return with_graph(handle, [&](const CUgraph_st& graph) {
        std::vector<CUgraphNode_st*> roots;
        for (const auto& node : graph.nodes)
            if (node->before.empty()) roots.push_back(node.get());
        return give(roots, nodes, count);
    });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
    return with_graph(handle, [&](const CUgraph_st& graph) {
        if (!count || !from != !to) return cudaErrorInvalidValue;
        std::vector<CUgraphNode_st*> sources, targets;
        for (const auto& node : graph.nodes) {
            for (CUgraphNode_st* later : node->after) {
                sources.push_back(node.get());
                targets.push_back(later);
            }
        }
        std::size_t places = *count;
        give(sources, from, &places);
        give_plain_edges(data, data ? places : 0);
        return give(targets, to, count);
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        if (!type) return cudaErrorInvalidValue;
        *type = type_of(node.task);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, std::size_t* count) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const cudaError_t error = give(node.before, nodes, count);
        if (error == cudaSuccess) give_plain_edges(data, *count);
        return error;
    });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, std::size_t* count) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const cudaError_t error = give(node.after, nodes, count);
        if (error == cudaSuccess) give_plain_edges(data, *count);
        return error;
    });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
    return get_params(node, params);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
    return get_params(node, params);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
    return get_params(node, params);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
    return get_params(node, params);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, cudaMemAllocNodeParams* params) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const auto* const alloc = std::get_if<AllocTask>(&node.task);
        if (!alloc || !params) return cudaErrorInvalidValue;
        std::memset(params, 0, sizeof *params);
        params->poolProps.allocType = cudaMemAllocationTypePinned;
        params->poolProps.location = {cudaMemLocationTypeDevice, 0};
        params->bytesize = alloc->memory->bytes();
        params->dptr = alloc->memory->begin();
        return cudaSuccess;
    });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const auto* const free = std::get_if<FreeTask>(&node.task);
        if (!free || !pointer) return cudaErrorInvalidValue;
        *static_cast<void**>(pointer) = free->memory->begin();
        return cudaSuccess;
    });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
    return with_node(handle, [&](const CUgraphNode_st& node) {
        const auto* const child = std::get_if<ChildTask>(&node.task);
        if (!child || !graph) return cudaErrorInvalidValue;
        *graph = child->graph.get();
        return cudaSuccess;
    });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<RecordTask>(node, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<WaitTask>(node, event);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
    return with_graph(handle, [&](const CUgraph_st& graph) {
        if (!path) return cudaErrorInvalidValue;
        std::ofstream out(path);
        out << "digraph dot {\n";
        print_dot(out, graph, "");
        out << "}\n";
        return out.good() ? cudaSuccess : cudaErrorOperatingSystem;
    });
}
