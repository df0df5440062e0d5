// Three-dimensional memory and copies between devices. Each slice of three-dimensional memory is copied as
// rows.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "copy.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/memory.hpp"
#include "not_offered.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

namespace {

/// Returns the rows of slice z of pitched memory.
Rows slice(const cudaPitchedPtr& memory, const cudaPos& at, std::size_t z) {
    char* const begin = static_cast<char*>(memory.ptr) + (at.z + z) * memory.pitch * memory.ysize;
    return {begin + at.y * memory.pitch + at.x, memory.pitch};
}

cudaError_t fill_3d(const char* what, const cudaPitchedPtr& memory, int value, const cudaExtent& extent,
                    cudaStream_t stream, bool wait, Place place) {
    return api_call([&] {
        const Request request{what, cudaMemcpyDefault, find_stream(stream), wait, place};
        for (std::size_t z = 0; z < extent.depth; ++z)
            if (const cudaError_t error =
                    fill(request, slice(memory, {0, 0, 0}, z), value, {extent.width, extent.height}))
                return error;
        return cudaSuccess;
    });
}

cudaError_t copy_3d(const cudaMemcpy3DParms* params, const char* what, cudaStream_t stream, bool wait,
                    Place place) {
    if (params && (params->srcArray || params->dstArray))
        return refuse_not_offered(kit::facts::Rule::array_not_offered, place);
    return api_call([&] {
        if (!params) return cudaErrorInvalidValue;
        const Request request{what, params->kind, find_stream(stream), wait, place};
        const cudaExtent& extent = params->extent;
        for (std::size_t z = 0; z < extent.depth; ++z)
            if (const cudaError_t error =
                    copy(request, slice(params->dstPtr, params->dstPos, z),
                         slice(params->srcPtr, params->srcPos, z), {extent.width, extent.height}))
                return error;
        return cudaSuccess;
    });
}

cudaError_t copy_between_devices(const char* what, void* to, int toDevice, const void* from, int fromDevice,
                                 std::size_t bytes, cudaStream_t stream, bool wait, Place place) {
    return api_call([&] {
        if (!is_device_number(toDevice) || !is_device_number(fromDevice)) return cudaErrorInvalidDevice;
        for (const auto& [pointer, said] :
             {std::pair(static_cast<const void*>(to), toDevice), std::pair(from, fromDevice)}) {
            const Allocation* const memory = find_allocation(pointer);
            if (!is_device(memory) || memory->device == said) continue;
            add_finding(finding(kit::facts::Rule::memory_of_another, place)
                            .on(memory_of(*memory))
                            .with("function", what)
                            .with("said", said)
                            .with("owner", memory->device));
            return cudaErrorInvalidValue;
        }
        CUstream_st* const queue = find_stream(stream);
        if (queue && !wait)
            if (const cudaError_t error = refuse_in_capture(*queue, what, place)) return error;
        return copy({what, cudaMemcpyDeviceToDevice, queue, wait, place}, {to, bytes},
                    {const_cast<void*>(from), bytes}, {bytes, 1});
    });
}

}  // namespace

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    const Place place = KIT_CALLER;
    if (!memory) return note_error(cudaErrorInvalidValue);
    *memory = {nullptr, 0, extent.width, extent.height};
    return allocate_pitched(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth,
                            "cudaMalloc3D", place);
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    return fill_3d("cudaMemset3D", memory, value, extent, nullptr, true, KIT_CALLER);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
    return fill_3d("cudaMemset3DAsync", memory, value, extent, stream, false, KIT_CALLER);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* params) {
    return copy_3d(params, "cudaMemcpy3D", nullptr, true, KIT_CALLER);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
    return copy_3d(params, "cudaMemcpy3DAsync", stream, false, KIT_CALLER);
}

cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes) {
    return copy_between_devices("cudaMemcpyPeer", to, toDevice, from, fromDevice, bytes, nullptr, true,
                                KIT_CALLER);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes,
                                cudaStream_t stream) {
    return copy_between_devices("cudaMemcpyPeerAsync", to, toDevice, from, fromDevice, bytes, stream, false,
                                KIT_CALLER);
}
