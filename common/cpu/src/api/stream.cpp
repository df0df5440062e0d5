// API functions for streams and events: create, destroy, wait, and queue host functions.
#include "run/stream.hpp"

#include <cuda_runtime_api.h>

#include <set>
#include <thread>

#include "api.hpp"
#include "device/cache_lines.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/leaks.hpp"
#include "run/counters.hpp"
#include "run/device_runtime.hpp"
#include "run/event.hpp"
#include "run/meeting.hpp"
#include "run/watchdog.hpp"
#include "source/findings.hpp"

using namespace kit::cpu;

namespace {

auto& events = *new std::set<CUevent_st*>;

template <class Body>
cudaError_t with_event(cudaEvent_t handle, Body body) {
    return api_call([&] { return events.count(handle) ? body(*handle) : cudaErrorInvalidResourceHandle; });
}

cudaError_t counted_query(const OperationPtr& operation) {
    const cudaError_t state = query(operation);
    count_query(state != cudaErrorNotReady);
    return state;
}

bool is_stream_attribute(cudaLaunchAttributeID id) {
    return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeSynchronizationPolicy ||
           id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomainMap ||
           id == cudaLaunchAttributeMemSyncDomain;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream, unsigned int flags, Place place) {
    if (in_kernel()) return device_runtime::record_event(handle, stream, flags);
    return with_event(handle, [&](CUevent_st& event) {
        CUstream_st* queue = find_stream(stream);
        if (!queue) return cudaErrorInvalidResourceHandle;
        if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
        if (event.device != queue->device) {
            add_finding(finding(kit::facts::Rule::event_of_another, place)
                            .with("function", "cudaEventRecord")
                            .with("owner", event.device)
                            .with("device", queue->device));
            return cudaErrorInvalidResourceHandle;
        }
        if (concerns_capture(*queue)) return capture_record(*queue, event, flags, place);
        event.capture = nullptr;
        event.recorded = enqueue_marker(*queue);
        return cudaSuccess;
    });
}

WorkLabel host_label(Place place) {
    WorkLabel label;
    label.kind = WorkKind::host_function;
    label.place = place;
    return label;
}

}  // namespace

CUevent_st* kit::cpu::find_event(cudaEvent_t handle) {
    return events.count(handle) ? handle : nullptr;
}

std::vector<const CUevent_st*> kit::cpu::live_events() {
    return {events.begin(), events.end()};
}

void kit::cpu::let_other_threads_come(const std::function<std::vector<OperationPtr>()>& work) {
    if (!meetings_happen() || in_kernel()) return;
    const auto begin = std::chrono::steady_clock::now();
    const auto lacks = [&] {
        const std::lock_guard lock(api_mutex());
        return sticky_error() == cudaSuccess && lacks_party(work());
    };
    while (threads_with_device() > 1 && lacks() &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
               kernel_time_limit())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

cudaError_t cudaDeviceSynchronize() {
    const Place place = KIT_CALLER;
    if (in_kernel()) refuse_to_wait("cudaDeviceSynchronize", place);
    let_other_threads_come([] { return work_of_device(current_device()); });
    return api_call([place] {
        if (const cudaError_t error = refuse_waiting_for_device("cudaDeviceSynchronize", place)) return error;
        count_synchronization();
        return finish_device(current_device());
    });
}

namespace {

cudaError_t new_stream(cudaStream_t* stream, unsigned int flags, int priority, Place place) {
    if (in_kernel()) return device_runtime::create_stream(stream, flags);
    return api_call([&] {
        if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        int least = 0, greatest = 0;
        cudaDeviceGetStreamPriorityRange(&least, &greatest);
        *stream = create_stream(flags, priority > least ? least : priority < greatest ? greatest : priority);
        (*stream)->made_at = place;
        return cudaSuccess;
    });
}

cudaError_t new_event(cudaEvent_t* event, unsigned int flags, Place place) {
    if (in_kernel()) return device_runtime::create_event(event, flags);
    return api_call([&] {
        if (!event || flags > 7) return cudaErrorInvalidValue;
        if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
            return cudaErrorInvalidValue;
        *event = new CUevent_st;
        (*event)->flags = flags;
        (*event)->device = current_device();
        (*event)->born = next_birth();
        (*event)->made_at = place;
        events.insert(*event);
        return cudaSuccess;
    });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return new_stream(stream, cudaStreamDefault, 0, KIT_CALLER);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return new_stream(stream, flags, 0, KIT_CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    return new_stream(stream, flags, priority, KIT_CALLER);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    if (in_kernel()) return device_runtime::destroy_stream(handle);
    return with_stream(handle, [&](CUstream_st& stream) {
        if (&stream != handle) return cudaErrorInvalidResourceHandle;  // a default stream cannot be destroyed
        leave_capture(stream);
        destroy_stream(&stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    const Place place = KIT_CALLER;
    let_other_threads_come([handle] {
        const CUstream_st* const stream = find_stream(handle);
        return stream ? work_before(stream_end(*stream)) : std::vector<OperationPtr>{};
    });
    return with_stream(handle, [place](CUstream_st& stream) {
        if (const cudaError_t error = refuse_waiting(stream, "cudaStreamSynchronize", place)) return error;
        if (const cudaError_t error = refuse_unsafe("cudaStreamSynchronize", place)) return error;
        count_synchronization();
        return finish(stream_end(stream));
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [place](CUstream_st& stream) {
        if (const cudaError_t error = refuse_waiting(stream, "cudaStreamQuery", place)) return error;
        if (const cudaError_t error = refuse_unsafe("cudaStreamQuery", place)) return error;
        return counted_query(stream_end(stream));
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
    const Place place = KIT_CALLER;
    if (in_kernel()) return device_runtime::wait_for_event(handle, event, flags);
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!events.count(event)) return cudaErrorInvalidResourceHandle;
        if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
        if (concerns_capture(stream) || event->capture) return capture_wait(stream, *event, flags, place);
        if (event->recorded) enqueue_wait(stream, event->recorded, place);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = stream.flags;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!priority) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}

// Stores stream attributes, which only affect speed. An access policy window is checked as on a device.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!value || !is_stream_attribute(id)) return cudaErrorInvalidValue;
        if (id == cudaLaunchAttributeAccessPolicyWindow) {
            if (const cudaError_t error = check_window(value->accessPolicyWindow)) return error;
            stream.window_set_at = place;
        }
        if (id == cudaLaunchAttributePriority) stream.priority = value->priority;
        stream.attributes[id] = *value;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* value) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!value || !is_stream_attribute(id)) return cudaErrorInvalidValue;
        *value = stream.attributes[id];
        if (id == cudaLaunchAttributePriority) value->priority = stream.priority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return with_stream(to, [&](CUstream_st& target) {
        const CUstream_st* const source = find_stream(from);
        if (!source) return cudaErrorInvalidResourceHandle;
        target.attributes = source->attributes;
        target.priority = source->priority;
        target.window_set_at = source->window_set_at;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!device) return cudaErrorInvalidValue;
        *device = stream.device;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!id) return cudaErrorInvalidValue;
        *id = stream.id;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, std::size_t, unsigned int) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!pointer) return cudaErrorInvalidValue;
        if (concerns_capture(stream)) return refuse_waiting(stream, "cudaStreamAttachMemAsync", place);
        enqueue_marker(stream);
        return cudaSuccess;
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* userData) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!function) return cudaErrorInvalidValue;
        if (concerns_capture(stream))
            return capture_task(stream, "cudaLaunchHostFunc", place, HostTask{function, userData});
        auto call = [function, userData] {
            function(userData);
            return cudaSuccess;
        };
        enqueue(stream, host_label(place), call);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* userData,
                                  unsigned int flags) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!callback || flags) return cudaErrorInvalidValue;
        if (concerns_capture(stream)) return refuse_waiting(stream, "cudaStreamAddCallback", place);
        auto call = [handle, callback, userData] {
            callback(handle, cudaSuccess, userData);
            return cudaSuccess;
        };
        enqueue(stream, host_label(place), call);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return new_event(event, cudaEventDefault, KIT_CALLER);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return new_event(event, flags, KIT_CALLER);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    if (in_kernel()) return device_runtime::destroy_event(handle);
    return with_event(handle, [](CUevent_st& event) {
        events.erase(&event);
        delete &event;  // the operation that the event recorded stays in the queue
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    return record(handle, stream, cudaEventRecordDefault, KIT_CALLER);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned int flags) {
    return record(handle, stream, flags, KIT_CALLER);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    const Place place = KIT_CALLER;
    return with_event(handle, [place](CUevent_st& event) {
        if (const cudaError_t error = refuse_waiting(event, "cudaEventQuery", place)) return error;
        if (const cudaError_t error = refuse_unsafe("cudaEventQuery", place)) return error;
        return counted_query(event.recorded);
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    const Place place = KIT_CALLER;
    let_other_threads_come([handle] {
        return events.count(handle) ? work_before(handle->recorded) : std::vector<OperationPtr>{};
    });
    return with_event(handle, [place](CUevent_st& event) {
        if (const cudaError_t error = refuse_waiting(event, "cudaEventSynchronize", place)) return error;
        count_synchronization();
        return finish(event.recorded);
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return api_call([&] {
        if (!milliseconds) return cudaErrorInvalidValue;
        if (!events.count(start) || !events.count(end)) return cudaErrorInvalidResourceHandle;
        if (start->capture || end->capture) return cudaErrorCapturedEvent;
        if ((start->flags | end->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
        if (!start->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
        if (start->device != end->device) return cudaErrorInvalidResourceHandle;
        if (!start->recorded->done || !end->recorded->done) return cudaErrorNotReady;
        *milliseconds =
            std::chrono::duration<float, std::milli>(end->recorded->finished - start->recorded->finished)
                .count();
        return cudaSuccess;
    });
}
