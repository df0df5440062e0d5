// API functions that create graphs: nodes, edges, and copies of graphs.
#include <cuda_runtime_api.h>

#include <cstring>

#include "api.hpp"
#include "graphs/device_nodes.hpp"
#include "graphs/edges.hpp"
#include "graphs/graph_memory.hpp"
#include "graphs/graph_run.hpp"
#include "graphs/node_params.hpp"
#include "not_offered.hpp"
#include "run/counters.hpp"
#include "run/event.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

namespace {

/// Adds a node to the graph if the graph and the dependencies are valid. `make(task)` fills in the node's
/// task.
template <class Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, Make make) {
    return api_call([&] {
        std::vector<CUgraphNode_st*> before;
        if (!node || !find_graph(graph) || !nodes_of(*graph, dependencies, count, before))
            return cudaErrorInvalidValue;
        NodeTask task;
        if (const cudaError_t error = make(task)) return error;
        *node = add_node(*graph, before, std::move(task));
        return cudaSuccess;
    });
}

template <class Task>
cudaError_t add_event_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                           std::size_t count, cudaEvent_t event) {
    return add(node, graph, dependencies, count, [&](NodeTask& task) {
        if (!find_event(event)) return cudaErrorInvalidResourceHandle;
        task = Task{event};
        return cudaSuccess;
    });
}

cudaError_t make_task(cudaMemAllocNodeParams* params, cudaGraph_t graph, Place place, NodeTask& task) {
    if (!params || params->bytesize == 0) return cudaErrorInvalidValue;
    if (params->poolProps.allocType != cudaMemAllocationTypePinned ||
        params->poolProps.location.type != cudaMemLocationTypeDevice || params->poolProps.location.id != 0)
        return cudaErrorInvalidValue;
    const GraphMemoryPtr memory =
        GraphMemory::make(params->bytesize, "cudaGraphAddMemAllocNode", graph, place);
    if (!memory) return cudaErrorMemoryAllocation;
    params->dptr = memory->begin();
    task = AllocTask{memory, place};
    return cudaSuccess;
}

cudaError_t make_free_task(void* pointer, cudaGraph_t graph, Place place, NodeTask& task) {
    const GraphMemoryPtr memory = find_graph_memory(pointer);
    if (!memory || memory->freed_by) {
        const kit::facts::Rule rule =
            memory ? kit::facts::Rule::node_frees_again : kit::facts::Rule::node_frees_unallocated;
        add_finding(finding(rule, place).with("function", "cudaGraphAddMemFreeNode"));
        return cudaErrorInvalidValue;
    }
    memory->freed_by = graph;
    task = FreeTask{memory, place};
    return cudaSuccess;
}

cudaError_t make_task(cudaConditionalNodeParams* params, cudaGraph_t graph, Place place, NodeTask& task) {
    const ConditionPtr condition = find_condition(params->handle);
    const unsigned most = params->type == cudaGraphCondTypeWhile ? 1
                          : params->type == cudaGraphCondTypeIf  ? 2
                                                                 : ~0u;
    if (params->type > cudaGraphCondTypeSwitch || params->size < 1 || params->size > most)
        return cudaErrorInvalidValue;
    if (!condition || condition->has_node || !belongs_to(*graph, condition->graph)) {
        add_finding(finding(condition && condition->has_node ? kit::facts::Rule::handle_has_node
                                                             : kit::facts::Rule::handle_of_another_graph,
                            place));
        return cudaErrorInvalidValue;
    }
    condition->has_node = true;
    ConditionalTask made{condition, params->type, {}, std::make_shared<std::vector<cudaGraph_t>>(), place};
    for (unsigned i = 0; i < params->size; ++i) {
        made.bodies.push_back(std::make_shared<CUgraph_st>(true));
        made.bodies.back()->outer = graph;
        made.handles->push_back(made.bodies.back().get());
    }
    params->phGraph_out = made.handles->data();
    task = std::move(made);
    return cudaSuccess;
}

bool refuses_copy(const CUgraph_st& graph, Place place) {
    if (!has_device_nodes(graph)) return false;
    add_finding(finding(kit::facts::Rule::updatable_cloned, place));
    return true;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (!graph || flags) return cudaErrorInvalidValue;
        *graph = publish(std::make_unique<CUgraph_st>(true), place);
        return count_call(&Counters::graphs_made, cudaSuccess);
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return api_call([&] {
        count_call(&Counters::graphs_destroyed, cudaSuccess);
        if (!find_graph(graph) || graph->embedded) return cudaErrorInvalidValue;
        destroy_graph(graph);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (!clone || !find_graph(original)) return cudaErrorInvalidValue;
        if (has_memory_nodes(*original) || has_conditional_nodes(*original)) return cudaErrorNotSupported;
        if (refuses_copy(*original, place)) return cudaErrorNotSupported;
        *clone = publish(copy_graph(*original, true), place);
        return count_call(&Counters::graphs_made, cudaSuccess);
    });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
    return api_call([&] {
        if (!node || !find_graph(clone)) return cudaErrorInvalidValue;
        for (const auto& one : clone->nodes) {
            if (one->original != original) continue;
            *node = one.get();
            return cudaSuccess;
        }
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* params) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_task(params, place, nullptr, task); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* params) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_task(params, place, task); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_copy_task(to, from, bytes, kind, place, task); });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count, [&](NodeTask& task) {
        return make_symbol_task(symbol, offset, true, from, bytes, kind, place, task);
    });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count, [&](NodeTask& task) {
        return make_symbol_task(symbol, offset, false, to, bytes, kind, place, task);
    });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* params) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_task(params, place, task); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* params) {
    return add(node, graph, dependencies, count, [&](NodeTask& task) { return make_task(params, task); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count, [&](NodeTask& task) {
        if (!find_graph(child) || child == graph) return cudaErrorInvalidValue;
        if (has_memory_nodes(*child) || has_conditional_nodes(*child)) return cudaErrorNotSupported;
        if (refuses_copy(*child, place)) return cudaErrorNotSupported;
        task = ChildTask{copy_graph(*child, true)};
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
    return add(node, graph, dependencies, count, [](NodeTask& task) {
        task = EmptyTask{};
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaEvent_t event) {
    return add_event_node<RecordTask>(node, graph, dependencies, count, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaEvent_t event) {
    return add_event_node<WaitTask>(node, graph, dependencies, count, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     cudaMemAllocNodeParams* params) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_task(params, graph, place, task); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count, void* pointer) {
    const Place place = KIT_CALLER;
    return add(node, graph, dependencies, count,
               [&](NodeTask& task) { return make_free_task(pointer, graph, place, task); });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, std::size_t count, cudaGraphNodeParams* params) {
    const Place place = KIT_CALLER;
    if (!params || !plain_edges(data, count)) return note_error(cudaErrorInvalidValue);
    const auto add_made = [&](auto... arguments) {
        return add(node, graph, dependencies, count,
                   [&](NodeTask& task) { return make_task(arguments..., task); });
    };
    switch (params->type) {
        case cudaGraphNodeTypeKernel:
            return add_made(&params->kernel, place, nullptr);
        case cudaGraphNodeTypeMemcpy:
            return add_made(&params->memcpy.copyParams, place);
        case cudaGraphNodeTypeMemset:
            return add_made(&params->memset, place);
        case cudaGraphNodeTypeHost:
            return add_made(&params->host);
        case cudaGraphNodeTypeGraph:
            return cudaGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
        case cudaGraphNodeTypeEmpty:
            return cudaGraphAddEmptyNode(node, graph, dependencies, count);
        case cudaGraphNodeTypeWaitEvent:
            return cudaGraphAddEventWaitNode(node, graph, dependencies, count, params->eventWait.event);
        case cudaGraphNodeTypeEventRecord:
            return cudaGraphAddEventRecordNode(node, graph, dependencies, count, params->eventRecord.event);
        case cudaGraphNodeTypeMemAlloc:
            return add_made(&params->alloc, graph, place);
        case cudaGraphNodeTypeMemFree:
            return add(node, graph, dependencies, count,
                       [&](NodeTask& task) { return make_free_task(params->free.dptr, graph, place, task); });
        case cudaGraphNodeTypeConditional:
            return add_made(&params->conditional, graph, place);
        default:
            return refuse_not_offered(kit::facts::Rule::node_not_offered, place);
    }
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
    return api_call([&] {
        if (!handle || !find_graph(graph) || flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
        *handle = new_condition(*graph, flags == cudaGraphCondAssignDefault, value);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     std::size_t count) {
    return api_call([&] {
        if (!find_graph(graph) || !plain_edges(data, count)) return cudaErrorInvalidValue;
        if (count > 0 && (!from || !to)) return cudaErrorInvalidValue;
        const auto is_here = [&](cudaGraphNode_t node) { return find_node(node) && node->graph == graph; };
        for (std::size_t i = 0; i < count; ++i)
            if (!is_here(from[i]) || !is_here(to[i]) || from[i] == to[i] || has_edge(*from[i], *to[i]))
                return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i) add_edge(*from[i], *to[i]);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        std::size_t count) {
    return api_call([&] {
        if (!find_graph(graph) || !plain_edges(data, count) || has_memory_nodes(*graph))
            return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i)
            if (!find_node(from[i]) || !find_node(to[i]) || !remove_edge(*from[i], *to[i]))
                return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (!find_node(node) || has_memory_nodes(*node->graph)) return cudaErrorInvalidValue;
        if (device_node_of(*node)) {
            add_finding(finding(kit::facts::Rule::updatable_removed, place));
            return cudaErrorInvalidValue;
        }
        remove_node(node);
        return cudaSuccess;
    });
}
