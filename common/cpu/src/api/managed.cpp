// API functions about the pages of managed memory: prefetches, advice, and facts about both.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/managed_pages.hpp"
#include "memory/page_advice.hpp"
#include "run/managed_work.hpp"

using namespace kit::cpu;

namespace {

/// Returns whether these bytes are in one allocation of managed memory.
bool is_managed(const void* begin, std::size_t bytes) {
    const Allocation* const allocation = find_allocation(begin);
    return allocation && allocation->kind == MemoryKind::managed && bytes > 0 &&
           static_cast<const char*>(begin) + bytes <= allocation->begin + allocation->bytes;
}

/// Returns the processor at a location; no_processor if there is none.
int processor_at(cudaMemLocation location) {
    switch (location.type) {
        case cudaMemLocationTypeDevice:
            return is_device_number(location.id) ? location.id : no_processor;
        case cudaMemLocationTypeHost:
        case cudaMemLocationTypeHostNuma:
        case cudaMemLocationTypeHostNumaCurrent:
            return the_host;
        default:
            return no_processor;
    }
}

cudaError_t check_location(cudaMemLocation location) {
    const bool is_device = location.type == cudaMemLocationTypeDevice;
    if (processor_at(location) == no_processor)
        return is_device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    return is_device && !concurrent_managed_access() ? cudaErrorInvalidDevice : cudaSuccess;
}

int id_of(int processor) {
    if (processor == the_host) return cudaCpuDeviceId;
    return processor == no_processor ? cudaInvalidDeviceId : processor;
}

cudaMemLocationType type_of(int processor) {
    if (processor == no_processor) return cudaMemLocationTypeInvalid;
    return processor == the_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

/// Writes one attribute. The list of processors has one element for each 4 bytes of `data`.
cudaError_t write_attribute(int* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                            const PageAdvice& advice) {
    if (!data || data_bytes < sizeof(int) || data_bytes % sizeof(int)) return cudaErrorInvalidValue;
    if (attribute != cudaMemRangeAttributeAccessedBy && data_bytes != sizeof(int))
        return cudaErrorInvalidValue;
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            *data = advice.read_mostly;
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocation:
            *data = id_of(advice.preferred);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocation:
            *data = id_of(advice.last_prefetch);
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationType:
            *data = type_of(advice.preferred);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationType:
            *data = type_of(advice.last_prefetch);
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationId:
            *data = advice.preferred == the_host ? 0 : id_of(advice.preferred);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationId:
            *data = advice.last_prefetch == the_host ? 0 : id_of(advice.last_prefetch);
            return cudaSuccess;
        case cudaMemRangeAttributeAccessedBy: {
            int* const end = data + data_bytes / sizeof(int);
            for (int processor = 0; processor <= the_host; ++processor)
                if (advice.accessed_by & bit_of(processor) && data < end) *data++ = id_of(processor);
            while (data < end) *data++ = cudaInvalidDeviceId;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        if (flags || !is_managed(pointer, bytes)) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_location(location)) return error;
        if (!concurrent_managed_access()) return cudaErrorInvalidDevice;
        CUstream_st* queue = find_stream(stream);
        if (!queue) return cudaErrorInvalidResourceHandle;
        if (concerns_capture(*queue)) return refuse_waiting(*queue, "cudaMemPrefetchAsync", place);
        enqueue_prefetch(*queue, pointer, bytes, processor_at(location), place);
        return cudaSuccess;
    });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
    return api_call([&] {
        if (!is_managed(pointer, bytes)) return cudaErrorInvalidValue;
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
            return cudaErrorInvalidValue;
        const bool ignores_location = advice == cudaMemAdviseSetReadMostly ||
                                      advice == cudaMemAdviseUnsetReadMostly ||
                                      advice == cudaMemAdviseUnsetPreferredLocation;
        if (!ignores_location && processor_at(location) == no_processor) return cudaErrorInvalidValue;
        if (!ignores_location)
            if (const cudaError_t error = check_location(location)) return error;
        change_advice(pointer, bytes, advice, processor_at(location));
        advice_changed(pointer, bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      std::size_t count, const void* pointer, std::size_t bytes) {
    return api_call([&] {
        if (!data || !data_bytes || !attributes || count == 0 || !is_managed(pointer, bytes))
            return cudaErrorInvalidValue;
        const PageAdvice advice = common_advice(pointer, bytes);
        for (std::size_t i = 0; i < count; ++i)
            if (const cudaError_t error =
                    write_attribute(static_cast<int*>(data[i]), data_bytes[i], attributes[i], advice))
                return error;
        return cudaSuccess;
    });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
    return cudaMemRangeGetAttributes(&data, &data_bytes, &attribute, 1, pointer, bytes);
}
