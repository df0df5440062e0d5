// API functions that instantiate, launch and update graphs, and that report or free the memory of allocation
// nodes.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "api.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "graphs/device_nodes.hpp"
#include "graphs/executable.hpp"
#include "graphs/graph_memory.hpp"
#include "graphs/node_params.hpp"
#include "run/counters.hpp"
#include "run/event.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

namespace {

/// Replaces the task of a node's copy in the instance, if the node can have the new task. `make` creates that
/// task.
template <class Make>
cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t handle, cudaGraphNodeType type, Make make) {
    return api_call([&] {
        CUgraphNode_st* const node =
            find_executable(exec) && find_node(handle) ? copy_of(*exec, handle) : nullptr;
        if (!node || type_of(node->task) != type) return cudaErrorInvalidValue;
        NodeTask wanted;
        if (const cudaError_t error = make(node->task, wanted)) return error;
        if (may_become(node->task, wanted) != cudaGraphExecUpdateSuccess) return cudaErrorInvalidValue;
        node->task = std::move(wanted);
        node->for_upload = true;
        forget_upload(*exec);
        return cudaSuccess;
    });
}

template <class Task>
cudaError_t change_event(cudaGraphExec_t exec, cudaGraphNode_t handle, cudaGraphNodeType type,
                         cudaEvent_t event) {
    return change(exec, handle, type, [&](const NodeTask&, NodeTask& wanted) {
        if (!find_event(event)) return cudaErrorInvalidResourceHandle;
        wanted = Task{event};
        return cudaSuccess;
    });
}

/// Returns the instance's copy of a node, if nodes of this type can be disabled; null otherwise.
CUgraphNode_st* find_switch(cudaGraphExec_t exec, cudaGraphNode_t handle) {
    CUgraphNode_st* const node =
        find_executable(exec) && find_node(handle) ? copy_of(*exec, handle) : nullptr;
    return node && type_of(node->task) <= cudaGraphNodeTypeMemset ? node : nullptr;
}

cudaError_t make_instance(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags, Place place) {
    return api_call([&] {
        if (!exec || !find_graph(graph) || flags & ~15ull) return cudaErrorInvalidValue;
        if (const cudaError_t error = refuse_unsafe("cudaGraphInstantiate", place)) return error;
        return count_call(&Counters::graph_instances, instantiate(*graph, flags, place, exec));
    });
}

}  // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return make_instance(exec, graph, flags, KIT_CALLER);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return make_instance(exec, graph, flags, KIT_CALLER);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
    if (!params) return note_error(cudaErrorInvalidValue);
    cudaError_t error = make_instance(exec, graph, params->flags, KIT_CALLER);
    if (error == cudaSuccess && params->flags & cudaGraphInstantiateFlagUpload)
        error = cudaGraphUpload(*exec, params->uploadStream);
    params->errNode_out = nullptr;
    params->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
    return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    return api_call([&] {
        if (!find_executable(exec) || !flags) return cudaErrorInvalidValue;
        *flags = exec->flags;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (const cudaError_t error = refuse_unsafe("cudaGraphExecDestroy", place)) return error;
        count_call(&Counters::graph_instances_destroyed, cudaSuccess);
        if (!find_executable(exec)) return cudaErrorInvalidValue;
        destroy_executable(exec);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        CUstream_st* const stream = find_stream(handle);
        if (!find_executable(exec)) return cudaErrorInvalidValue;
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (concerns_capture(*stream)) return refuse_waiting(*stream, "cudaGraphUpload", place);
        exec->last =
            enqueue_join(*stream, exec->last ? std::vector{exec->last} : std::vector<OperationPtr>{});
        exec->last->run = [hand_over = hand_to_device(*exec->copy)] {
            hand_over();
            return cudaSuccess;
        };
        exec->state->uploaded = exec->last;
        exec->state->uploaded_apart = true;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
    const Place place = KIT_CALLER;
    if (in_kernel()) return launch_from_kernel(exec, handle, place);
    return api_call([&] {
        CUstream_st* const stream = find_stream(handle);
        if (!find_executable(exec)) return cudaErrorInvalidValue;
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = refuse_waiting(*stream, "cudaGraphLaunch", place)) return error;
        return count_call(&Counters::graph_launches, launch_graph(*exec, *stream, place));
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (!info) return cudaErrorInvalidValue;
        *info = {cudaGraphExecUpdateError, nullptr, nullptr};
        if (!find_executable(exec) || !find_graph(graph)) return cudaErrorInvalidValue;
        count_call(&Counters::graph_updates, cudaSuccess);
        if (has_device_nodes(*exec->copy) || has_device_nodes(*graph)) {
            add_finding(finding(kit::facts::Rule::updatable_graph_updated, place));
            info->result = cudaGraphExecUpdateErrorNotSupported;
            return cudaErrorGraphExecUpdateFailure;
        }
        *info = update_graph(*exec->copy, *graph);
        forget_upload(*exec);
        return info->result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                             const cudaKernelNodeParams* params) {
    return change(exec, handle, cudaGraphNodeTypeKernel, [&](const NodeTask& now, NodeTask& wanted) {
        return make_task(params, std::get<Launch>(now).place, &now, wanted);
    });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                             const cudaMemcpy3DParms* params) {
    return change(exec, handle, cudaGraphNodeTypeMemcpy, [&](const NodeTask& now, NodeTask& wanted) {
        return make_task(params, std::get<CopyTask>(now).place, wanted);
    });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                     const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
    return change(exec, handle, cudaGraphNodeTypeMemcpy, [&](const NodeTask& now, NodeTask& wanted) {
        return make_symbol_task(symbol, offset, true, from, bytes, kind, std::get<CopyTask>(now).place,
                                wanted);
    });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t handle, void* to,
                                                       const void* symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
    return change(exec, handle, cudaGraphNodeTypeMemcpy, [&](const NodeTask& now, NodeTask& wanted) {
        return make_symbol_task(symbol, offset, false, to, bytes, kind, std::get<CopyTask>(now).place,
                                wanted);
    });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
    if (!params) return note_error(cudaErrorInvalidValue);
    switch (params->type) {
        case cudaGraphNodeTypeKernel:
            return cudaGraphExecKernelNodeSetParams(exec, node, &params->kernel);
        case cudaGraphNodeTypeMemcpy:
            return cudaGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams);
        case cudaGraphNodeTypeMemset:
            return cudaGraphExecMemsetNodeSetParams(exec, node, &params->memset);
        case cudaGraphNodeTypeHost:
            return cudaGraphExecHostNodeSetParams(exec, node, &params->host);
        case cudaGraphNodeTypeGraph:
            return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
        case cudaGraphNodeTypeEventRecord:
            return cudaGraphExecEventRecordNodeSetEvent(exec, node, params->eventRecord.event);
        case cudaGraphNodeTypeWaitEvent:
            return cudaGraphExecEventWaitNodeSetEvent(exec, node, params->eventWait.event);
        default:
            return note_error(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t handle, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return change(exec, handle, cudaGraphNodeTypeMemcpy, [&](const NodeTask& now, NodeTask& wanted) {
        return make_copy_task(to, from, bytes, kind, std::get<CopyTask>(now).place, wanted);
    });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                             const cudaMemsetParams* params) {
    return change(exec, handle, cudaGraphNodeTypeMemset, [&](const NodeTask& now, NodeTask& wanted) {
        return make_task(params, std::get<FillTask>(now).place, wanted);
    });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                           const cudaHostNodeParams* params) {
    return change(exec, handle, cudaGraphNodeTypeHost,
                  [&](const NodeTask&, NodeTask& wanted) { return make_task(params, wanted); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                 cudaGraph_t child) {
    return api_call([&] {
        CUgraphNode_st* const node =
            find_executable(exec) && find_node(handle) ? copy_of(*exec, handle) : nullptr;
        const auto* const task = node ? std::get_if<ChildTask>(&node->task) : nullptr;
        if (!task || !find_graph(child)) return cudaErrorInvalidValue;
        return update_graph(*task->graph, *child).result == cudaGraphExecUpdateSuccess
                   ? cudaSuccess
                   : cudaErrorGraphExecUpdateFailure;
    });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
    return change_event<RecordTask>(exec, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
    return change_event<WaitTask>(exec, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle, unsigned int enabled) {
    return api_call([&] {
        CUgraphNode_st* const node = find_switch(exec, handle);
        if (!node) return cudaErrorInvalidValue;
        node->enabled = enabled != 0;
        node->for_upload = true;
        if (device_node_of(*node)) forget_upload(*exec);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle, unsigned int* enabled) {
    return api_call([&] {
        const CUgraphNode_st* const node = find_switch(exec, handle);
        if (!node || !enabled) return cudaErrorInvalidValue;
        *enabled = node->enabled;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    return api_call([&] { return is_device_number(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return api_call([&] {
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        if (!value || attribute > cudaGraphMemAttrReservedMemHigh) return cudaErrorInvalidValue;
        const GraphMemoryUse& use = graph_memory_use();
        const std::uint64_t values[] = {use.used, use.used_high, use.reserved, use.reserved_high};
        *static_cast<std::uint64_t*>(value) = values[attribute];
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return api_call([&] {
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        if (!value || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
        GraphMemoryUse& use = graph_memory_use();
        if (attribute == cudaGraphMemAttrUsedMemHigh)
            use.used_high = use.used;
        else if (attribute == cudaGraphMemAttrReservedMemHigh)
            use.reserved_high = use.reserved;
        else
            return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}
