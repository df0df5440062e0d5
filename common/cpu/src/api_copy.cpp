// cudaMemcpy and cudaMemset in all their forms: every range and direction is checked before anything is
// queued.
#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

#include "api.hpp"
#include "checks/checker.hpp"
#include "constants.hpp"
#include "copies.hpp"
#include "counters.hpp"
#include "device_runtime.hpp"
#include "finding.hpp"
#include "graphs/capture.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace kit::cpu {
namespace {

cudaError_t refuse(const char* kind, const std::string& message, Place place) {
    add_finding({kind, message + " at " + describe(place), place});
    return cudaErrorInvalidValue;
}

/// Must lie in one live allocation if it begins in one, or in device memory. `does` is "writes" or "reads".
cudaError_t check_range(const char* what, const char* does, const void* begin, std::size_t bytes,
                        const Allocation* allocation, Place place) {
    const std::string start = std::string(what) + " " + does + " " + count_bytes(bytes);
    if (!begin) return refuse("address", start + " through a null pointer", place);
    if (!allocation && in_device_range(begin)) {
        const std::string near = describe_address(begin);
        return refuse("address", start + " where nothing is allocated" + (near.empty() ? "" : ": " + near),
                      place);
    }
    if (!allocation) return cudaSuccess;  // the host's own memory
    if (allocation->free_queued && !allocation->of_graph)
        return refuse("address", start + " of " + describe(*allocation) + ", after cudaFreeAsync freed them",
                      place);
    const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(begin) - allocation->begin);
    if (bytes <= allocation->bytes - offset) return cudaSuccess;
    return refuse("address",
                  start + ", " + count_bytes(bytes - (allocation->bytes - offset)) + " past the end of " +
                      describe(*allocation) + (offset ? ", from byte " + std::to_string(offset) + " on" : ""),
                  place);
}

bool is_device(const Allocation* allocation) {
    return allocation && allocation->kind == MemoryKind::device;
}

/// The kind that the caller named must fit the memory that the pointers point to.
cudaError_t check_direction(const CopyTask& request, const Allocation* to, const Allocation* from) {
    const char *name = nullptr, *problem = nullptr;
    const char *to_is = to ? "device memory" : "ordinary host memory",
               *from_is = from ? "device memory" : "ordinary host memory";
    switch (request.kind) {
        case cudaMemcpyDefault:
            return cudaSuccess;
        case cudaMemcpyHostToHost:
            name = "cudaMemcpyHostToHost";
            if (is_device(to)) problem = "destination";
            if (is_device(from)) problem = "source";
            break;
        case cudaMemcpyHostToDevice:
            name = "cudaMemcpyHostToDevice";
            if (!to) problem = "destination";
            if (is_device(from)) problem = "source";
            break;
        case cudaMemcpyDeviceToHost:
            name = "cudaMemcpyDeviceToHost";
            if (is_device(to)) problem = "destination";
            if (!from) problem = "source";
            break;
        case cudaMemcpyDeviceToDevice:
            name = "cudaMemcpyDeviceToDevice";
            if (!to) problem = "destination";
            if (!from) problem = "source";
            break;
        default:
            return cudaErrorInvalidMemcpyDirection;
    }
    if (!problem) return cudaSuccess;
    return refuse("argument",
                  std::string(request.what) + " with " + name + ": the " + problem + " is " +
                      (*problem == 'd' ? to_is : from_is) + " (the destination comes first)",
                  request.place);
}

void copy_rows(Rows to, Rows from, Shape shape) {
    for (std::size_t row = 0; row < shape.height; ++row) {
        char* const target = static_cast<char*>(to.begin) + row * to.pitch;
        const char* const source = static_cast<const char*>(from.begin) + row * from.pitch;
        std::memmove(target, source, shape.width);
        if (checking()) checker().copied(target, source, shape.width);
    }
}

/// Memory that a node of a graph allocates is there only while that node has run and no other has freed it.
cudaError_t check_exists(const char* what, const char* does, const void* begin, Place place) {
    const Allocation* const allocation = find_allocation(begin);
    if (!allocation || !allocation->dormant) return cudaSuccess;
    refuse("address", std::string(what) + " " + does + " " + describe_address(begin), place);
    return cudaErrorIllegalAddress;
}

/// A call that waits cannot be captured, and may not disturb the captures of others.
cudaError_t refuse_sync(const Request& request) {
    if (concerns_capture(*request.stream))
        return capture_task(*request.stream, request.what, request.place, EmptyTask{});
    return refuse_unsafe(request.what, request.place);
}

bool is_empty(Shape shape) {
    return shape.width == 0 || shape.height == 0;
}

}  // namespace

cudaError_t copy(const Request& request, Rows to, Rows from, Shape shape) {
    CopyTask task{request.what, request.kind, to, from, shape, request.place};
    if (!request.stream) return cudaErrorInvalidResourceHandle;
    if (request.kind < cudaMemcpyHostToHost || request.kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (request.wait)
        if (const cudaError_t error = refuse_sync(request)) return error;
    if (is_empty(shape)) return cudaSuccess;
    if (const cudaError_t error = check(task)) return error;
    const bool captured = concerns_capture(*request.stream);
    if (captured || !request.wait) watch_host_memory(task);
    if (captured) return capture_task(*request.stream, request.what, request.place, task);
    const Allocation* const target = find_allocation(to.begin);
    const Allocation* const source = find_allocation(from.begin);
    count_copy(shape.width * shape.height);

    // Ordinary host memory cannot be read later: the caller may change it. CUDA stages it; so do we.
    std::shared_ptr<std::vector<char>> staged;
    if (!request.wait && !source && target) {
        staged = std::make_shared<std::vector<char>>(shape.width * shape.height);
        copy_rows({staged->data(), shape.width}, from, shape);
        task.from = {staged->data(), shape.width};
        task.from_watch = nullptr;
    }
    const OperationPtr operation = enqueue(*request.stream, Work::copy, [task, staged] { return run(task); });
    const bool within_device = is_device(target) && is_device(source);
    if (request.wait ? within_device : target != nullptr) return cudaSuccess;
    count_synchronization();
    return finish(operation);
}

cudaError_t fill(const Request& request, Rows to, int value, Shape shape, std::size_t element) {
    const FillTask task{request.what, to, static_cast<unsigned>(value), element, shape, request.place};
    if (!request.stream) return cudaErrorInvalidResourceHandle;
    if (request.wait)
        if (const cudaError_t error = refuse_sync(request)) return error;
    if (is_empty(shape)) return cudaSuccess;
    if (const cudaError_t error = check(task)) return error;
    if (concerns_capture(*request.stream))
        return capture_task(*request.stream, request.what, request.place, task);
    const Allocation* const target = find_allocation(to.begin);
    const OperationPtr operation = enqueue(*request.stream, Work::copy, [task] { return run(task); });
    if (!request.wait || is_device(target)) return cudaSuccess;
    count_synchronization();
    return finish(operation);
}

namespace {

Rows rows(const void* begin, std::size_t pitch) {
    return {const_cast<void*>(begin), pitch};
}

/// A copy that a kernel asks for: within the device, and never waited for.
cudaError_t copy_in_kernel(const Request& request, cudaStream_t stream, Rows to, Rows from, Shape shape) {
    if (shape.width == 0 || shape.height == 0) return cudaSuccess;
    return device_runtime::queue_copy(
        request.what, request.place, stream, {to.begin, from.begin},
        [&] {
            if (request.kind != cudaMemcpyDeviceToDevice && request.kind != cudaMemcpyDefault)
                return cudaErrorInvalidMemcpyDirection;
            if (shape.height > 1 && (to.pitch < shape.width || from.pitch < shape.width))
                return cudaErrorInvalidPitchValue;
            if (const cudaError_t error =
                    check_range(request.what, "writes", to.begin, shape.extent(to.pitch),
                                find_allocation(to.begin), request.place))
                return error;
            return check_range(request.what, "reads", from.begin, shape.extent(from.pitch),
                               find_allocation(from.begin), request.place);
        },
        [task = CopyTask{request.what, request.kind, to, from, shape, request.place}] { return run(task); });
}

cudaError_t fill_in_kernel(const Request& request, cudaStream_t stream, Rows to, int value, Shape shape) {
    if (shape.width == 0 || shape.height == 0) return cudaSuccess;
    return device_runtime::queue_copy(
        request.what, request.place, stream, {to.begin},
        [&] {
            if (shape.height > 1 && to.pitch < shape.width) return cudaErrorInvalidPitchValue;
            return check_range(request.what, "writes", to.begin, shape.extent(to.pitch),
                               find_allocation(to.begin), request.place);
        },
        [task = FillTask{request.what, to, static_cast<unsigned>(value), 1, shape, request.place}] {
            return run(task);
        });
}

}  // namespace

cudaError_t check(const CopyTask& task) {
    if (task.shape.height > 1 && (task.to.pitch < task.shape.width || task.from.pitch < task.shape.width))
        return cudaErrorInvalidPitchValue;
    const Allocation* const target = find_allocation(task.to.begin);
    const Allocation* const source = find_allocation(task.from.begin);
    if (const cudaError_t error = check_range(task.what, "writes", task.to.begin,
                                              task.shape.extent(task.to.pitch), target, task.place))
        return error;
    if (const cudaError_t error = check_range(task.what, "reads", task.from.begin,
                                              task.shape.extent(task.from.pitch), source, task.place))
        return error;
    if (const cudaError_t error = check_direction(task, target, source)) return error;
    if (const cudaError_t error = check_host_range(task.what, "writes", task.to.begin,
                                                   task.shape.extent(task.to.pitch), task.place))
        return error;
    return check_host_range(task.what, "reads", task.from.begin, task.shape.extent(task.from.pitch),
                            task.place);
}

cudaError_t check(const FillTask& task) {
    if (task.shape.height > 1 && task.to.pitch < task.shape.width) return cudaErrorInvalidPitchValue;
    const Allocation* const target = find_allocation(task.to.begin);
    if (const cudaError_t error = check_range(task.what, "writes", task.to.begin,
                                              task.shape.extent(task.to.pitch), target, task.place))
        return error;
    if (target) return cudaSuccess;
    return refuse("argument", std::string(task.what) + ": the destination is ordinary host memory",
                  task.place);
}

cudaError_t run(const CopyTask& task) {
    const auto& [to, from, shape] = std::tie(task.to, task.from, task.shape);
    if (const cudaError_t error = check_host_memory_lives(task)) return error;
    if (const cudaError_t error = check_exists(task.what, "reads", from.begin, task.place)) return error;
    if (const cudaError_t error = check_exists(task.what, "writes", to.begin, task.place)) return error;
    if (checking()) {
        checker().copies(task.what, task.place, from.begin, from.pitch, shape.width, shape.height, false);
        checker().copies(task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true);
    }
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
    const DeviceWindow readable(from.begin, shape.extent(from.pitch));
    copy_rows(to, from, shape);
    keep_constants(to.begin, shape.extent(to.pitch));
    return cudaSuccess;
}

cudaError_t run(const FillTask& task) {
    const auto& [to, shape] = std::tie(task.to, task.shape);
    if (const cudaError_t error = check_exists(task.what, "writes", to.begin, task.place)) return error;
    if (checking())
        checker().copies(task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true);
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
    for (std::size_t row = 0; row < shape.height; ++row) {
        char* const target = static_cast<char*>(to.begin) + row * to.pitch;
        if (task.element == 1)
            std::memset(target, static_cast<int>(task.value), shape.width);
        else
            for (std::size_t i = 0; i < shape.width; i += task.element)
                std::memcpy(target + i, &task.value, task.element);
        if (checking()) checker().written(target, shape.width);
    }
    keep_constants(to.begin, shape.extent(to.pitch));
    return cudaSuccess;
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        return copy({"cudaMemcpy", kind, &legacy_stream(), true, place}, rows(to, bytes), rows(from, bytes),
                    {bytes, 1});
    });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const Place place = KIT_CALLER;
    if (in_kernel())
        return copy_in_kernel({"cudaMemcpyAsync", kind, nullptr, false, place}, stream, rows(to, bytes),
                              rows(from, bytes), {bytes, 1});
    return api_call([&] {
        return copy({"cudaMemcpyAsync", kind, find_stream(stream), false, place}, rows(to, bytes),
                    rows(from, bytes), {bytes, 1});
    });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        return copy({"cudaMemcpy2D", kind, &legacy_stream(), true, place}, rows(to, toPitch),
                    rows(from, fromPitch), {width, height});
    });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    const Place place = KIT_CALLER;
    if (in_kernel())
        return copy_in_kernel({"cudaMemcpy2DAsync", kind, nullptr, false, place}, stream, rows(to, toPitch),
                              rows(from, fromPitch), {width, height});
    return api_call([&] {
        return copy({"cudaMemcpy2DAsync", kind, find_stream(stream), false, place}, rows(to, toPitch),
                    rows(from, fromPitch), {width, height});
    });
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        return fill({"cudaMemset", cudaMemcpyDefault, &legacy_stream(), true, place}, {pointer, bytes}, value,
                    {bytes, 1});
    });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    if (in_kernel())
        return fill_in_kernel({"cudaMemsetAsync", cudaMemcpyDefault, nullptr, false, place}, stream,
                              {pointer, bytes}, value, {bytes, 1});
    return api_call([&] {
        return fill({"cudaMemsetAsync", cudaMemcpyDefault, find_stream(stream), false, place},
                    {pointer, bytes}, value, {bytes, 1});
    });
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    const Place place = KIT_CALLER;
    return api_call([&] {
        return fill({"cudaMemset2D", cudaMemcpyDefault, &legacy_stream(), true, place}, {pointer, pitch},
                    value, {width, height});
    });
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    if (in_kernel())
        return fill_in_kernel({"cudaMemset2DAsync", cudaMemcpyDefault, nullptr, false, place}, stream,
                              {pointer, pitch}, value, {width, height});
    return api_call([&] {
        return fill({"cudaMemset2DAsync", cudaMemcpyDefault, find_stream(stream), false, place},
                    {pointer, pitch}, value, {width, height});
    });
}
