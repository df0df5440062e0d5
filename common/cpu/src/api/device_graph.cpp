// API functions for graphs that only kernels can call.
#include "device_graph.hpp"

#include <cuda_runtime_api.h>

#include "api.hpp"
#include "graphs/device_nodes.hpp"
#include "graphs/graph_run.hpp"
#include "run/family.hpp"
#include "run/worker.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

cudaError_t kit::cpu::launch_from_kernel(cudaGraphExec_t exec, cudaStream_t stream, Place place) {
    return answer_kernel([&] {
        if (GraphRun* const run = GraphRun::now()) return run->launch(exec, stream, place);
        add_finding(finding(kit::facts::Rule::launched_outside_of_graphs, running_spot(place), place)
                        .by(running_thread()));
        return cudaErrorInvalidValue;
    });
}

cudaGraphExec_t cudaGetCurrentGraphExec() {
    if (!in_kernel()) return nullptr;
    const InExecutor inside;
    const GraphRun* const run = GraphRun::now();
    return run ? run->for_device() : nullptr;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return;
    bool in_graph = true;
    {
        const InExecutor inside;
        const std::lock_guard lock(family_now()->mutex());
        GraphRun* const run = GraphRun::now();
        in_graph = run && run->set(handle, value, place);
    }
    if (!in_graph)
        stop_kernel(
            cudaErrorLaunchFailure,
            finding(kit::facts::Rule::strange_condition, running_spot(place), place).by(running_thread()));
}

namespace {

/// Changes a node on behalf of the running CUDA thread.
cudaError_t change(const NodeChange& change, Place place) {
    return answer_kernel([&] { return change_device_node(change, place); });
}

/// Reports a load by the running thread, which reads the value itself.
#define KIT_READS(pointer, bytes) kernel_reads(pointer, bytes, place.instruction, __builtin_dwarf_cfa())

std::vector<unsigned char> bytes_at(const void* from, std::size_t bytes) {
    const InExecutor inside;
    const auto* const begin = static_cast<const unsigned char*>(from);
    return {begin, begin + bytes};
}

}  // namespace

cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, std::size_t offset, const void* value,
                                        std::size_t bytes) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return cudaErrorNotSupported;
    KIT_READS(value, bytes);
    return change({node, cudaGraphKernelNodeFieldParam, {}, true, offset, bytes_at(value, bytes)}, place);
}

cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return cudaErrorNotSupported;
    return change({node, cudaGraphKernelNodeFieldEnabled, {}, enable}, place);
}

cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, dim3 grid) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return cudaErrorNotSupported;
    return change({node, cudaGraphKernelNodeFieldGridDim, grid}, place);
}

cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate* updates, std::size_t count) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return cudaErrorNotSupported;
    for (std::size_t i = 0; i < count; ++i) {
        KIT_READS(&updates[i].node, sizeof updates[i].node);
        KIT_READS(&updates[i].field, sizeof updates[i].field);
        const auto& data = updates[i].updateData;
        NodeChange made{updates[i].node, updates[i].field};
        if (made.field == cudaGraphKernelNodeFieldGridDim) {
            KIT_READS(&data.gridDim, sizeof data.gridDim);
            made.grid = data.gridDim;
        } else if (made.field == cudaGraphKernelNodeFieldEnabled) {
            KIT_READS(&data.isEnabled, sizeof data.isEnabled);
            made.enabled = data.isEnabled != 0;
        } else if (made.field == cudaGraphKernelNodeFieldParam) {
            KIT_READS(&data.param, sizeof data.param);
            KIT_READS(data.param.pValue, data.param.size);
            made.offset = data.param.offset;
            made.value = bytes_at(data.param.pValue, data.param.size);
        }
        if (const cudaError_t error = change(made, place)) return error;
    }
    return cudaSuccess;
}
