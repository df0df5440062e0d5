// Functions of the CUDA runtime that device code calls: launches, streams, events and memory.
#include "device_runtime.hpp"

#include <utility>

#include "device/device.hpp"
#include "device/launch_limits.hpp"
#include "family.hpp"
#include "kernel_heap.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

constexpr std::uint64_t stream_per_thread = std::uint64_t(1) << 63;

std::uint64_t block_key() {
    return this_worker->block->linear_index();
}
std::uint64_t thread_key() {
    return block_key() * 1024 + this_worker->block->rank();
}

cudaError_t note_kernel_error(cudaError_t error) {
    if (error != cudaSuccess) family_now()->running().errors[thread_key()] = error;
    return error;
}

/// Returns the kind of memory if other blocks or threads cannot access it (shared, local); `unknown` for all
/// other memory.
facts::Memory private_memory(const void* pointer) {
    if (!pointer) return {};
    const Worker& worker = *this_worker;
    if (worker.fibers.owns(pointer)) return memory_of_kind(facts::Memory::Kind::local_of_launcher);
    const facts::Memory shared = worker.block->shared().memory_at(static_cast<const char*>(pointer));
    const char* const begin = worker.block->shared().begin();
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - begin);
    if (offset >= SharedArena::capacity) return {};
    return is_known(shared) ? shared : memory_of_kind(facts::Memory::Kind::shared_of_launcher);
}

/// The stream that a launch in device code names. Null for the fire-and-forget and tail streams, whose work
/// has no order.
struct NamedStream {
    DeviceHandle* stream = nullptr;
    cudaError_t error = cudaSuccess;
};

NamedStream named_stream(cudaStream_t handle, Place place) {
    if (handle == cudaStreamFireAndForget || handle == cudaStreamTailLaunch) return {};
    Family& family = *family_now();
    if (handle == cudaStreamPerThread)
        return {family.find_stream(nullptr, thread_key() | stream_per_thread), cudaSuccess};
    DeviceHandle* const stream = family.find_stream(handle, block_key());
    if (!stream) return {nullptr, cudaErrorInvalidResourceHandle};
    if (stream->owner && stream->owner != &family.running()) {
        add_finding(finding(facts::Rule::stream_of_another_grid, running_spot(place), place)
                        .by(running_thread())
                        .in(stream->owner->launch.name));
        return {nullptr, cudaErrorInvalidResourceHandle};
    }
    return {stream, cudaSuccess};
}

void refuse_private_pointers(const Launch& launch) {
    unsigned number = 0;
    for (const Argument& argument : launch.body->arguments) {
        ++number;
        if (!argument.pointer) continue;
        const facts::Memory memory = private_memory(*static_cast<const void* const*>(argument.address));
        if (!is_known(memory)) continue;
        stop_kernel(cudaErrorIllegalAddress,
                    finding(facts::Rule::private_argument, running_spot(launch.place), launch.place)
                        .by(running_thread())
                        .on(memory)
                        .in(launch.name)
                        .with("number", number));
    }
}

/// Returns the running grid's event or stream that has this handle; null if there is none.
DeviceHandle* own(const std::set<DeviceHandle*>& kind, const void* handle) {
    auto* const found = static_cast<DeviceHandle*>(const_cast<void*>(handle));
    return kind.count(found) && found->owner == &family_now()->running() ? found : nullptr;
}

void join(DevicePoint& to, const DevicePoint& more) {
    to.last.insert(to.last.end(), more.last.begin(), more.last.end());
    for (const auto& [stream, number] : more.clock) {
        std::uint64_t& known = to.clock[stream];
        known = std::max(known, number);
    }
}

/// Stores a result at an address in global or shared memory.
template <class T>
void hand_out(T* where, T value) {
    *where = value;
    observer().written(reinterpret_cast<const char*>(where), sizeof value);
}

}  // namespace

cudaError_t answer_kernel(const std::function<cudaError_t()>& body) {
    const InExecutor inside;
    const std::lock_guard lock(family_now()->mutex());
    return note_kernel_error(body());
}

cudaError_t kernel_error(bool forget) {
    const InExecutor inside;
    const std::lock_guard lock(family_now()->mutex());
    auto& errors = family_now()->running().errors;
    const auto found = errors.find(thread_key());
    if (found == errors.end()) return cudaSuccess;
    const cudaError_t error = found->second;
    if (forget) errors.erase(found);
    return error;
}

cudaError_t submit_from_kernel(Launch launch) {
    const InExecutor inside;
    refuse_private_pointers(launch);
    if (const Childless where = family_now()->childless(); where != Childless::no)
        stop_kernel(cudaErrorLaunchFailure, finding(where == Childless::in_conditional_body
                                                        ? facts::Rule::no_children_in_body
                                                        : facts::Rule::no_children_in_device_graph,
                                                    running_spot(launch.place), launch.place)
                                                .by(running_thread()));
    return answer_kernel([&] {
        name_kernel(launch);
        const NamedStream to = named_stream(launch.stream, launch.place);
        if (to.error) return to.error;
        if (const cudaError_t error = check_launch(launch)) return error;
        const cudaStream_t handle = launch.stream;
        return family_now()->add(std::move(launch), nullptr, handle, to.stream)
                   ? cudaSuccess
                   : cudaErrorLaunchPendingCountExceeded;
    });
}

namespace device_runtime {

cudaError_t create_stream(cudaStream_t* stream, unsigned flags) {
    return answer_kernel([&] {
        // The programming guide requires cudaStreamNonBlocking; an H200 also accepts the other flag.
        if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        hand_out(stream, reinterpret_cast<cudaStream_t>(family_now()->make(family_now()->streams)));
        return cudaSuccess;
    });
}

cudaError_t destroy_stream(cudaStream_t stream) {
    return answer_kernel([&] {
        DeviceHandle* const found = own(family_now()->streams, stream);
        if (!found) return cudaErrorInvalidResourceHandle;
        family_now()->streams.erase(found);  // work that was launched into the stream continues
        return cudaSuccess;
    });
}

cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return answer_kernel([&] {
        if (flags || stream == cudaStreamFireAndForget || stream == cudaStreamTailLaunch)
            return cudaErrorInvalidValue;
        const NamedStream waiting = named_stream(stream, {});
        DeviceHandle* const awaited = own(family_now()->events, event);
        if (!waiting.stream || !awaited) return cudaErrorInvalidResourceHandle;
        join(waiting.stream->point, awaited->point);
        return cudaSuccess;
    });
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
    return answer_kernel([&] {
        if (!event || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
        hand_out(event, reinterpret_cast<cudaEvent_t>(family_now()->make(family_now()->events)));
        return cudaSuccess;
    });
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return answer_kernel([&] {
        if (flags || stream == cudaStreamFireAndForget || stream == cudaStreamTailLaunch)
            return cudaErrorInvalidValue;
        const NamedStream from = named_stream(stream, {});
        DeviceHandle* const recorded = own(family_now()->events, event);
        if (!from.stream || !recorded) return cudaErrorInvalidResourceHandle;
        recorded->point = from.stream->point;
        return cudaSuccess;
    });
}

cudaError_t destroy_event(cudaEvent_t event) {
    return answer_kernel([&] {
        DeviceHandle* const found = own(family_now()->events, event);
        if (!found) return cudaErrorInvalidResourceHandle;
        family_now()->events.erase(found);
        return cudaSuccess;
    });
}

cudaError_t allocate(void** pointer, std::size_t bytes, Place place) {
    return answer_kernel([&] {
        if (!pointer) return cudaErrorInvalidValue;
        hand_out(pointer, static_cast<void*>(nullptr));
        if (bytes == 0) return cudaSuccess;
        Allocation* const allocation = allocate_on_heap(bytes, "cudaMalloc", place);
        if (!allocation) return cudaErrorMemoryAllocation;
        hand_out(pointer, static_cast<void*>(allocation->begin));
        return cudaSuccess;
    });
}

cudaError_t free(void* pointer, Place place) {
    return answer_kernel([&] {
        if (!pointer) return cudaSuccess;
        if (Allocation* const block = heap_block(pointer)) {
            free_heap_block(block, place.line == Place::of_instruction ? place.instruction : this_worker->at);
            return cudaSuccess;
        }
        add_finding(
            wrong_to_free(pointer, running_spot(place)).by(running_thread()).with("function", "cudaFree"));
        return cudaErrorInvalidValue;
    });
}

cudaError_t queue_copy(const char* what, Place place, cudaStream_t stream,
                       std::initializer_list<const void*> pointers, const std::function<cudaError_t()>& check,
                       std::function<cudaError_t()> run) {
    return answer_kernel([&] {
        const NamedStream to = named_stream(stream, place);
        if (to.error) return to.error;
        for (const void* pointer : pointers) {
            const facts::Memory memory = private_memory(pointer);
            if (!is_known(memory)) continue;
            add_finding(finding(facts::Rule::private_copy, running_spot(place), place)
                            .by(running_thread())
                            .on(memory)
                            .with("function", what));
            return cudaErrorInvalidValue;
        }
        if (const cudaError_t error = check()) return error;
        Launch launch;
        launch.name = what;
        launch.place = place;
        return family_now()->add(std::move(launch), std::move(run), stream, to.stream)
                   ? cudaSuccess
                   : cudaErrorLaunchPendingCountExceeded;
    });
}

}  // namespace device_runtime
}  // namespace kit::cpu
