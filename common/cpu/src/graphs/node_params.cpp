// Checks and converts the parameters of graph nodes.
#include "node_params.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

#include "device/devices.hpp"
#include "device/kernel_facts.hpp"
#include "device/launch_limits.hpp"
#include "memory/memory.hpp"
#include "run/pointer_launch.hpp"
#include "source/kept_text.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {

cudaError_t make_task(const cudaKernelNodeParams* params, Place place, const NodeTask* like, NodeTask& task) {
    if (!params || (params->kernelParams && params->extra)) return cudaErrorInvalidValue;
    if (!params->func) return cudaErrorInvalidDeviceFunction;
    if (params->extra) return cudaErrorNotSupported;
    Launch launch;
    launch.function = params->func;
    launch.grid = params->gridDim;
    launch.block = params->blockDim;
    launch.dynamic_shared = params->sharedMemBytes;
    launch.place = place;
    launch.name = keep(short_name(known_facts(launch.function).name));
    const auto* const old = like ? std::get_if<Launch>(like) : nullptr;
    launch.device = old ? old->device : current_device();
    launch.device_node = old ? old->device_node : nullptr;
    if (old && old->function == launch.function)
        launch.body = old->body->with_arguments(params->kernelParams);
    if (!launch.body)
        if (const cudaError_t error = bind_by_address(launch, params->kernelParams)) return error;
    if (const cudaError_t error = check_launch(launch)) return error;
    task = std::move(launch);
    return cudaSuccess;
}

cudaError_t make_task(const cudaMemsetParams* params, Place place, NodeTask& task) {
    if (!params || params->width == 0 || params->height == 0) return cudaErrorInvalidValue;
    const std::size_t element = params->elementSize;
    if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
    const FillTask fill{"cudaGraphAddMemsetNode",
                        {params->dst, params->pitch},
                        params->value,
                        element,
                        {params->width * element, params->height},
                        place};
    if (const cudaError_t error = check(fill)) return error;
    task = fill;
    return cudaSuccess;
}

cudaError_t make_task(const cudaHostNodeParams* params, NodeTask& task) {
    if (!params || !params->fn) return cudaErrorInvalidValue;
    task = HostTask{params->fn, params->userData};
    return cudaSuccess;
}

cudaError_t make_copy_task(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Place place,
                           NodeTask& task) {
    if (bytes == 0) return cudaErrorInvalidValue;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    CopyTask copy{"cudaGraphAddMemcpyNode1D",       kind,       {to, bytes},
                  {const_cast<void*>(from), bytes}, {bytes, 1}, place};
    if (const cudaError_t error = check(copy)) return error;
    watch_host_memory(copy);
    task = copy;
    return cudaSuccess;
}

cudaError_t make_symbol_task(const void* symbol, std::size_t offset, bool to_symbol, const void* other,
                             std::size_t bytes, cudaMemcpyKind kind, Place place, NodeTask& task) {
    const std::size_t size = variable_bytes(symbol);
    if (!note_symbol(symbol, size)) return cudaErrorInvalidSymbol;
    if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
    const char* const part = static_cast<const char*>(symbol) + offset;
    return to_symbol ? make_copy_task(const_cast<char*>(part), other, bytes, kind, place, task)
                     : make_copy_task(const_cast<void*>(other), part, bytes, kind, place, task);
}

cudaError_t make_task(const cudaMemcpy3DParms* params, Place place, NodeTask& task) {
    if (!params || params->extent.width == 0 || params->extent.height == 0) return cudaErrorInvalidValue;
    if (params->srcArray || params->dstArray || params->extent.depth != 1) return cudaErrorNotSupported;
    const auto rows = [](const cudaPitchedPtr& memory, const cudaPos& at) {
        return Rows{static_cast<char*>(memory.ptr) + at.y * memory.pitch + at.x, memory.pitch};
    };
    CopyTask copy{"cudaGraphAddMemcpyNode",
                  params->kind,
                  rows(params->dstPtr, params->dstPos),
                  rows(params->srcPtr, params->srcPos),
                  {params->extent.width, params->extent.height},
                  place};
    if (const cudaError_t error = check(copy)) return error;
    watch_host_memory(copy);
    task = copy;
    return cudaSuccess;
}

bool params_of(const NodeTask& task, cudaKernelNodeParams& params) {
    const auto* const launch = std::get_if<Launch>(&task);
    if (!launch) return false;
    // Each call of this function returns its own array of pointers, which exists as long as a program may use
    // it.
    static auto& arrays = *new std::vector<std::vector<void*>>;
    arrays.emplace_back();
    for (const Argument& argument : launch->body->arguments) arrays.back().push_back(argument.address);
    params = {const_cast<void*>(launch->function),           launch->grid,         launch->block,
              static_cast<unsigned>(launch->dynamic_shared), arrays.back().data(), nullptr};
    return true;
}

bool params_of(const NodeTask& task, cudaMemsetParams& params) {
    const auto* const fill = std::get_if<FillTask>(&task);
    if (!fill) return false;
    params = {fill->to.begin,
              fill->to.pitch,
              fill->value,
              static_cast<unsigned>(fill->element),
              fill->shape.width / fill->element,
              fill->shape.height};
    return true;
}

bool params_of(const NodeTask& task, cudaHostNodeParams& params) {
    const auto* const host = std::get_if<HostTask>(&task);
    if (!host) return false;
    params = {host->function, host->data};
    return true;
}

bool params_of(const NodeTask& task, cudaMemcpy3DParms& params) {
    const auto* const copy = std::get_if<CopyTask>(&task);
    if (!copy) return false;
    std::memset(&params, 0, sizeof params);
    params.srcPtr = {copy->from.begin, copy->from.pitch, copy->shape.width, copy->shape.height};
    params.dstPtr = {copy->to.begin, copy->to.pitch, copy->shape.width, copy->shape.height};
    params.extent = {copy->shape.width, copy->shape.height, 1};
    params.kind = copy->kind;
    return true;
}

}  // namespace kit::cpu
