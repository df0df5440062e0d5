// cudaMemcpy and cudaMemset in all their forms. Every range and direction is checked before the copy is queued.
#include "copy.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "api.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/memory.hpp"
#include "run/counters.hpp"
#include "run/device_runtime.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

/// Refuses a blocking call during a capture: such a call cannot be captured, and it must not invalidate other
/// captures.
cudaError_t refuse_sync(const Request& request) {
    if (concerns_capture(*request.stream))
        return capture_task(*request.stream, request.what, request.place, EmptyTask{});
    return refuse_unsafe(request.what, request.place);
}

/// Returns a label with the direction of the copy. An allocation is null if that end is ordinary host memory.
WorkLabel copy_label(const Request& request, const Allocation* target, const Allocation* source,
                     std::size_t bytes) {
    WorkLabel label{copy_kind(is_device(target), is_device(source)), request.what, request.place, bytes};
    label.pageable = !request.wait && (!target || !source);
    return label;
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

    // The caller may change ordinary host memory before the copy runs. Therefore the bytes are copied to a
    // buffer now, as CUDA does.
    std::shared_ptr<std::vector<char>> staged;
    if (!request.wait && !source && target) {
        staged = std::make_shared<std::vector<char>>(shape.width * shape.height);
        copy_rows({staged->data(), shape.width}, from, shape);
        task.from = {staged->data(), shape.width};
        task.from_watch = nullptr;
    }
    const bool within_device = is_device(target) && is_device(source);
    const bool across = within_device && target->device != source->device;
    const auto move = [task, staged] { return run(task); };
    WorkLabel label = copy_label(request, target, source, shape.width * shape.height);
    const OperationPtr operation =
        request.wait && across
            ? enqueue_between({target->device, source->device}, *request.stream, std::move(label), move)
            : enqueue(*request.stream, std::move(label), move);
    if (request.wait ? within_device : target != nullptr) return cudaSuccess;
    count_synchronization();
    return finish(operation);
}

cudaError_t fill(const Request& request, Rows to, int value, Shape shape) {
    const FillTask task{request.what, to, static_cast<unsigned>(value), 1, shape, request.place};
    if (!request.stream) return cudaErrorInvalidResourceHandle;
    if (request.wait)
        if (const cudaError_t error = refuse_sync(request)) return error;
    if (is_empty(shape)) return cudaSuccess;
    if (const cudaError_t error = check(task)) return error;
    if (concerns_capture(*request.stream))
        return capture_task(*request.stream, request.what, request.place, task);
    const Allocation* const target = find_allocation(to.begin);
    if (is_device(target) && !has_access(request.stream->device, target->device)) {
        add_finding(finding(kit::facts::Rule::fill_of_another, request.place)
                        .with("function", request.what)
                        .with("device", request.stream->device)
                        .with("owner", target->device));
        return cudaErrorInvalidValue;
    }
    WorkLabel label{WorkKind::fill, request.what, request.place, shape.width * shape.height};
    const OperationPtr operation = enqueue(*request.stream, std::move(label), [task] { return run(task); });
    if (!request.wait || is_device(target)) return cudaSuccess;
    count_synchronization();
    return finish(operation);
}

namespace {

Rows rows(const void* begin, std::size_t pitch) {
    return {const_cast<void*>(begin), pitch};
}

/// Queues a copy that a kernel requests. Both ends are in device memory, and no thread waits for the copy.
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
                    check_range({request.what, true, shape.extent(to.pitch), request.place}, to.begin,
                                find_allocation(to.begin)))
                return error;
            return check_range({request.what, false, shape.extent(from.pitch), request.place}, from.begin,
                               find_allocation(from.begin));
        },
        [task = CopyTask{request.what, request.kind, to, from, shape, request.place}] { return run(task); });
}

cudaError_t fill_in_kernel(const Request& request, cudaStream_t stream, Rows to, int value, Shape shape) {
    if (shape.width == 0 || shape.height == 0) return cudaSuccess;
    return device_runtime::queue_copy(
        request.what, request.place, stream, {to.begin},
        [&] {
            if (shape.height > 1 && to.pitch < shape.width) return cudaErrorInvalidPitchValue;
            return check_range({request.what, true, shape.extent(to.pitch), request.place}, to.begin,
                               find_allocation(to.begin));
        },
        [task = FillTask{request.what, to, static_cast<unsigned>(value), 1, shape, request.place}] {
            return run(task);
        });
}

}  // namespace

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Place place = KIT_CALLER;
    let_other_threads_come([] { return work_before(stream_end(legacy_stream())); });
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
