// API functions that change the tasks of nodes, and the attributes of kernel nodes.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "attributes.hpp"
#include "graphs/device_nodes.hpp"
#include "graphs/graph.hpp"
#include "graphs/node_params.hpp"
#include "run/event.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

namespace {

/// Changes the task of a node that must have this type.
template <class Make>
cudaError_t change(cudaGraphNode_t handle, cudaGraphNodeType type, Make make) {
    return api_call([&] {
        CUgraphNode_st* const node = find_node(handle);
        return node && type_of(node->task) == type ? make(node->task) : cudaErrorInvalidValue;
    });
}

template <class Task>
cudaError_t change_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event) {
    return change(node, type, [&](NodeTask& task) {
        if (!find_event(event)) return cudaErrorInvalidResourceHandle;
        task = Task{event};
        return cudaSuccess;
    });
}

Launch* launch_of(cudaGraphNode_t handle) {
    CUgraphNode_st* const node = find_node(handle);
    return node ? std::get_if<Launch>(&node->task) : nullptr;
}

/// Makes the node one that kernels can change. A program cannot undo this.
cudaError_t set_updatable(Launch& launch, const cudaLaunchAttributeValue& value, Place place) {
    const auto refuse = [&](kit::facts::Rule rule) {
        add_finding(finding(rule, place));
        return cudaErrorInvalidValue;
    };
    const int wanted = value.deviceUpdatableKernelNode.deviceUpdatable;
    if (wanted != 0 && wanted != 1) return refuse(kit::facts::Rule::updatable_no_flag);
    if (wanted == 0) return launch.device_node ? refuse(kit::facts::Rule::updatable_taken_back) : cudaSuccess;
    if (!launch.device_node) launch.device_node = new_device_node();
    // CUDA returns the handle through this parameter, although it is declared const.
    const_cast<cudaLaunchAttributeValue&>(value).deviceUpdatableKernelNode.devNode = launch.device_node;
    return cudaSuccess;
}

bool give_attribute(const Launch& launch, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue& value) {
    value = {};
    switch (attribute) {
        case cudaLaunchAttributeCooperative:
            value.cooperative = launch.cooperative;
            return true;
        case cudaLaunchAttributeClusterDimension:
            value.clusterDim = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
            return true;
        case cudaLaunchAttributeAccessPolicyWindow:
            value.accessPolicyWindow = launch.window;
            return true;
        case cudaLaunchAttributePriority:
            return true;
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            value.deviceUpdatableKernelNode = {launch.device_node != nullptr, launch.device_node};
            return true;
        default:
            return false;
    }
}

}  // namespace

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        Launch* const launch = launch_of(node);
        if (!launch || !value) return cudaErrorInvalidValue;
        if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode)
            return set_updatable(*launch, *value, place);
        Launch changed = *launch;
        changed.place = place;
        if (const cudaError_t error = set_attribute(changed, {attribute, {}, *value})) return error;
        changed.place = launch->place;
        *launch = std::move(changed);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
    return api_call([&] {
        const Launch* const launch = launch_of(node);
        return launch && value && give_attribute(*launch, attribute, *value) ? cudaSuccess
                                                                             : cudaErrorInvalidValue;
    });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        Launch* const target = launch_of(to);
        const Launch* const source = launch_of(from);
        if (!target || !source) return cudaErrorInvalidValue;
        if (target->device_node || source->device_node) {
            add_finding(finding(kit::facts::Rule::updatable_attributes_copied, place));
            return cudaErrorInvalidValue;
        }
        target->cooperative = source->cooperative;
        target->cluster = source->cluster;
        target->window = source->window;
        target->has_window = source->has_window;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    return change(node, cudaGraphNodeTypeKernel, [&](NodeTask& task) {
        NodeTask wanted;
        const cudaError_t error = make_task(params, std::get<Launch>(task).place, &task, wanted);
        if (error == cudaSuccess) task = std::move(wanted);
        return error;
    });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
    return change(node, cudaGraphNodeTypeMemcpy,
                  [&](NodeTask& task) { return make_task(params, std::get<CopyTask>(task).place, task); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return change(node, cudaGraphNodeTypeMemcpy, [&](NodeTask& task) {
        return make_symbol_task(symbol, offset, true, from, bytes, kind, std::get<CopyTask>(task).place,
                                task);
    });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
    return change(node, cudaGraphNodeTypeMemcpy, [&](NodeTask& task) {
        return make_symbol_task(symbol, offset, false, to, bytes, kind, std::get<CopyTask>(task).place, task);
    });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return change_event<RecordTask>(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return change_event<WaitTask>(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    if (!params) return note_error(cudaErrorInvalidValue);
    switch (params->type) {
        case cudaGraphNodeTypeKernel:
            return cudaGraphKernelNodeSetParams(node, &params->kernel);
        case cudaGraphNodeTypeMemcpy:
            return cudaGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
        case cudaGraphNodeTypeMemset:
            return cudaGraphMemsetNodeSetParams(node, &params->memset);
        case cudaGraphNodeTypeHost:
            return cudaGraphHostNodeSetParams(node, &params->host);
        case cudaGraphNodeTypeEventRecord:
            return cudaGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
        case cudaGraphNodeTypeWaitEvent:
            return cudaGraphEventWaitNodeSetEvent(node, params->eventWait.event);
        default:
            return note_error(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
    return change(node, cudaGraphNodeTypeMemcpy, [&](NodeTask& task) {
        return make_copy_task(to, from, bytes, kind, std::get<CopyTask>(task).place, task);
    });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
    return change(node, cudaGraphNodeTypeMemset,
                  [&](NodeTask& task) { return make_task(params, std::get<FillTask>(task).place, task); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
    return change(node, cudaGraphNodeTypeHost, [&](NodeTask& task) { return make_task(params, task); });
}
