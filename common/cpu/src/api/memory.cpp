// API functions that allocate and free memory, and that return facts about it.
#include "memory/memory.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>

#include "api.hpp"
#include "copy.hpp"
#include "device/devices.hpp"
#include "events.hpp"
#include "graphs/capture.hpp"
#include "graphs/graph_memory.hpp"
#include "memory/managed_pages.hpp"
#include "run/counters.hpp"
#include "run/device_runtime.hpp"
#include "run/faults.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"

using namespace kit::cpu;

namespace {

/// Returns the allocation that begins at this address and is not a variable; null otherwise.
Allocation* whole_allocation(const void* pointer) {
    Allocation* allocation = find_allocation(pointer);
    return allocation && allocation->begin == pointer && !allocation->symbol && !allocation->free_queued &&
                   !allocation->device_heap
               ? allocation
               : nullptr;
}

cudaError_t new_device_memory(void** pointer, std::size_t bytes, const char* made_by, Place place) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    prepare_faults();  // installs the signal handler that reports host code which accesses device memory
    Allocation* allocation = allocate_device(bytes, made_by);
    if (!allocation && work_is_pending()) {  // queued work that frees memory may make space
        if (const cudaError_t error = finish_all()) return error;
        allocation = allocate_device(bytes, made_by);
    }
    if (!allocation) return cudaErrorMemoryAllocation;
    allocation->place = place;
    allocation->calls = host_calls();
    *pointer = allocation->begin;
    return cudaSuccess;
}

cudaError_t new_host_memory(void** pointer, std::size_t bytes, MemoryKind kind, const char* made_by,
                            unsigned flags, Place place) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return kind == MemoryKind::managed ? cudaErrorInvalidValue : cudaSuccess;
    if (kind == MemoryKind::managed) prepare_faults();  // installs the signal handler that moves pages
    Allocation* allocation = allocate_host(bytes, kind, made_by);
    if (!allocation) return cudaErrorMemoryAllocation;
    allocation->flags = flags;
    allocation->place = place;
    *pointer = allocation->begin;
    return cudaSuccess;
}

/// Returns the error for freeing this pointer, or success if the program can free it.
cudaError_t refuse_to_free(const char* what, const void* pointer, Place place) {
    const auto refuse = [&](kit::facts::Rule rule, kit::facts::Memory memory) {
        add_finding(finding(rule, place).with("function", what).on(std::move(memory)));
    };
    const Allocation* const live = find_allocation(pointer);
    if (const Allocation* const gone = live ? nullptr : freed_allocation(pointer))
        refuse(kit::facts::Rule::freed_before, memory_of(*gone));
    else if (!live)
        refuse(kit::facts::Rule::never_allocated, {});
    else if (live->begin != pointer)
        refuse(kit::facts::Rule::freed_inside, place_near(pointer));
    else
        refuse(kit::facts::Rule::freed_by_another_function, memory_of(*live));
    return cudaErrorInvalidValue;
}

/// Waits for the device, as cudaFree does, and releases the allocation.
cudaError_t free_now(Allocation* allocation) {
    if (work_is_pending()) {
        count_synchronization();
        if (const cudaError_t error = finish_device(allocation->device)) return error;
    }
    release(allocation);
    return cudaSuccess;
}

/// Runs a call that would be unsafe during a capture, because the capture does not record it.
template <class Body>
cudaError_t unsafe_call(const char* what, Place place, Body body) {
    return api_call(
        [&] {
            const cudaError_t error = refuse_unsafe(what, place);
            return error != cudaSuccess ? error : body();
        },
        what);
}

WorkLabel memory_label(const char* what, Place place) {
    return {WorkKind::memory, what, place};
}

/// Reports a write of all bytes to the checks when memory is allocated or freed in stream order. Every use
/// must be ordered with these two.
void touch_whole(const char* what, const Allocation& allocation, Place place) {
    observer().touches({what, place, allocation.begin, allocation.bytes, allocation.bytes, 1, true});
}

/// Frees memory that a launched graph has left allocated. A graph may already have a node that frees the
/// memory.
cudaError_t free_graph_memory(const char* what, CUstream_st& stream, const void* pointer, Place place) {
    const GraphMemoryPtr memory = find_graph_memory(pointer);
    if (!memory) return cudaErrorInvalidValue;
    if (stream.capture) return capture_free(stream, memory, place);
    if (!memory->live) {
        const kit::facts::Rule rule =
            memory->freed_by ? kit::facts::Rule::graph_has_node : kit::facts::Rule::graph_has_not_run;
        add_finding(finding(rule, place).with("function", what));
        return cudaErrorInvalidValue;
    }
    memory->live = false;
    enqueue(stream, memory_label(what, place), [memory, place] { return memory->free(place); });
    return cudaSuccess;
}

cudaError_t allocate_in_stream(void** pointer, std::size_t bytes, cudaStream_t stream, Place place) {
    return api_call(
        [&] {
            CUstream_st* queue = find_stream(stream);
            if (!queue) return cudaErrorInvalidResourceHandle;
            if (concerns_capture(*queue)) return capture_malloc(*queue, pointer, bytes, place);
            const int current = current_device();
            choose_device_of_thread(queue->device);
            const cudaError_t error = new_device_memory(pointer, bytes, "cudaMallocAsync", place);
            choose_device_of_thread(current);
            if (error != cudaSuccess || bytes == 0) return error;
            find_allocation(*pointer)->stream_ordered = true;
            enqueue(*queue, memory_label("cudaMallocAsync", place), [begin = *pointer, place] {
                const Allocation* const made = find_allocation(begin);
                if (made && made->begin == begin) touch_whole("cudaMallocAsync", *made, place);
                return cudaSuccess;
            });
            return error;
        },
        "cudaMallocAsync");
}

/// The default memory pool, which is the only pool that is supported.
struct Pool {
    std::uint64_t release_threshold = 0;
    int reuse[3] = {1, 1, 1};
} default_pool;
const auto pool_handle = reinterpret_cast<cudaMemPool_t>(&default_pool);

}  // namespace

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    const Place place = KIT_CALLER;
    if (in_kernel()) return device_runtime::allocate(pointer, bytes, place);
    return unsafe_call("cudaMalloc", place,
                       [&] { return new_device_memory(pointer, bytes, "cudaMalloc", place); });
}

void kit::cpu::note_elements(void* const* allocated, LayoutOf layout) {
    if (in_kernel()) return;
    std::lock_guard lock(api_mutex());
    Allocation* const allocation = find_allocation(*allocated);
    if (allocation && allocation->begin == *allocated) allocation->element = layout;
}

cudaError_t kit::cpu::allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width,
                                       std::size_t height, const char* made_by, Place place) {
    return unsafe_call(made_by, place, [&] {
        if (!pitch) return cudaErrorInvalidValue;
        *pitch = (width + 511) / 512 * 512;
        return new_device_memory(pointer, *pitch * height, made_by, place);
    });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return allocate_pitched(pointer, pitch, width, height, "cudaMallocPitch", KIT_CALLER);
}

cudaError_t cudaFree(void* pointer) {
    const Place place = KIT_CALLER;
    if (in_kernel()) return device_runtime::free(pointer, place);
    return unsafe_call("cudaFree", place, [&] {
        if (!pointer) return cudaSuccess;
        Allocation* allocation = whole_allocation(pointer);
        if (!allocation || allocation->kind == MemoryKind::pinned)
            return refuse_to_free("cudaFree", pointer, place);
        if (!allocation->of_graph) return free_now(allocation);
        const cudaError_t error = free_graph_memory("cudaFree", legacy_stream(), pointer, place);
        return error == cudaSuccess ? finish_all() : error;
    });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    const Place place = KIT_CALLER;
    return unsafe_call("cudaMallocHost", place, [&] {
        return new_host_memory(pointer, bytes, MemoryKind::pinned, "cudaMallocHost", cudaHostAllocMapped,
                               place);
    });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
    const Place place = KIT_CALLER;
    return unsafe_call("cudaHostAlloc", place, [&] {
        if (flags & ~7u) return cudaErrorInvalidValue;
        return new_host_memory(pointer, bytes, MemoryKind::pinned, "cudaHostAlloc",
                               flags | cudaHostAllocMapped, place);
    });
}

cudaError_t cudaFreeHost(void* pointer) {
    const Place place = KIT_CALLER;
    return unsafe_call("cudaFreeHost", place, [&] {
        if (!pointer) return cudaSuccess;
        Allocation* allocation = whole_allocation(pointer);
        if (!allocation || allocation->kind != MemoryKind::pinned || allocation->registered)
            return refuse_to_free("cudaFreeHost", pointer, place);
        return free_now(allocation);
    });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (!pointer || bytes == 0 || in_device_range(pointer)) return cudaErrorInvalidValue;
        const char* last = static_cast<char*>(pointer) + bytes - 1;
        if (find_allocation(pointer) || find_allocation(last)) return cudaErrorHostMemoryAlreadyRegistered;
        Allocation* allocation = note_memory(pointer, bytes, MemoryKind::pinned, "cudaHostRegister");
        allocation->registered = true;
        allocation->place = place;
        allocation->flags = flags | cudaHostRegisterMapped;
        return cudaSuccess;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return api_call([&] {
        if (!pointer) return cudaErrorInvalidValue;
        Allocation* allocation = whole_allocation(pointer);
        if (!allocation || !allocation->registered) return cudaErrorHostMemoryNotRegistered;
        return free_now(allocation);
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
    return api_call([&] {
        if (!device || flags) return cudaErrorInvalidValue;
        *device = nullptr;
        const Allocation* allocation = find_allocation(host);
        if (!allocation || allocation->kind != MemoryKind::pinned) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    return api_call([&] {
        const Allocation* allocation = find_allocation(host);
        if (!flags || !allocation || allocation->kind != MemoryKind::pinned) return cudaErrorInvalidValue;
        *flags = allocation->flags;
        return cudaSuccess;
    });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags) {
    const Place place = KIT_CALLER;
    return unsafe_call("cudaMallocManaged", place, [&] {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
        return new_host_memory(pointer, bytes, MemoryKind::managed, "cudaMallocManaged", flags, place);
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return api_call([&] {
        if (!free || !total) return cudaErrorInvalidValue;
        *free = free_device_memory() - managed_bytes_on(current_device());
        *total = total_device_memory();
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return api_call([&] {
        if (!attributes) return cudaErrorInvalidValue;
        std::memset(attributes, 0, sizeof *attributes);
        void* const address = const_cast<void*>(pointer);
        const Allocation* allocation = find_allocation(pointer);
        if (!allocation) {
            attributes->type = cudaMemoryTypeUnregistered;
            attributes->device = cudaInvalidDeviceId;
            if (!in_device_range(pointer)) attributes->hostPointer = address;
            return cudaSuccess;
        }
        attributes->device = allocation->device;
        attributes->devicePointer = address;
        if (allocation->kind != MemoryKind::device) attributes->hostPointer = address;
        switch (allocation->kind) {
            case MemoryKind::device:
                attributes->type = cudaMemoryTypeDevice;
                break;
            case MemoryKind::managed:
                attributes->type = cudaMemoryTypeManaged;
                break;
            case MemoryKind::pinned:
                attributes->type = cudaMemoryTypeHost;
                break;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return allocate_in_stream(pointer, bytes, stream, KIT_CALLER);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pool != pool_handle) return note_error(cudaErrorInvalidValue);
    return allocate_in_stream(pointer, bytes, stream, KIT_CALLER);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        CUstream_st* queue = find_stream(stream);
        if (!queue) return cudaErrorInvalidResourceHandle;
        if (!pointer) return cudaSuccess;
        Allocation* allocation = find_allocation(pointer);
        if (allocation && allocation->of_graph)
            return free_graph_memory("cudaFreeAsync", *queue, pointer, place);
        if (concerns_capture(*queue)) return capture_free(*queue, nullptr, place);
        if (allocation && allocation->free_queued)
            add_finding(finding(kit::facts::Rule::freed_twice_in_stream, place).on(memory_of(*allocation)));
        allocation = whole_allocation(pointer);
        if (!allocation || allocation->kind != MemoryKind::device) return cudaErrorInvalidValue;
        allocation->free_queued = true;
        enqueue(*queue, memory_label("cudaFreeAsync", place), [pointer, place] {
            if (Allocation* freed = find_allocation(pointer)) {
                touch_whole("cudaFreeAsync", *freed, place);
                release(freed);
            }
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return fact_call([&] {
        if (!pool) return cudaErrorInvalidValue;
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        *pool = pool_handle;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return api_call([&] {
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        return pool == pool_handle ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return api_call([&] {
        if (pool != pool_handle || !value) return cudaErrorInvalidValue;
        if (attribute == cudaMemPoolAttrReleaseThreshold)
            default_pool.release_threshold = *static_cast<std::uint64_t*>(value);
        else if (attribute >= 1 && attribute <= 3)
            default_pool.reuse[attribute - 1] = *static_cast<int*>(value);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return api_call([&] {
        if (pool != pool_handle || !value) return cudaErrorInvalidValue;
        if (attribute >= 1 && attribute <= 3)
            *static_cast<int*>(value) = default_pool.reuse[attribute - 1];
        else if (attribute == cudaMemPoolAttrReleaseThreshold)
            *static_cast<std::uint64_t*>(value) = default_pool.release_threshold;
        else
            *static_cast<std::uint64_t*>(value) = stream_ordered_bytes();
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return api_call([&] { return pool == pool_handle ? cudaSuccess : cudaErrorInvalidValue; });
}
