// Checks and executes one copy or one fill.
#include "copies.hpp"

#include <cstring>
#include <tuple>
#include <utility>

#include "device/constants.hpp"
#include "device/devices.hpp"
#include "events.hpp"
#include "managed_pages.hpp"
#include "memory.hpp"
#include "source/findings.hpp"
#include "source/who.hpp"

namespace kit::cpu {
namespace {

cudaError_t refuse(Finding finding) {
    add_finding(std::move(finding));
    return cudaErrorInvalidValue;
}

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault:
            break;
    }
    return "cudaMemcpyDefault";
}

enum class CopySide { none, destination, source };

CopyEnd writes(const CopyTask& task) {
    return {task.what, true, task.shape.extent(task.to.pitch), task.place};
}
CopyEnd reads(const CopyTask& task) {
    return {task.what, false, task.shape.extent(task.from.pitch), task.place};
}
CopyEnd writes(const FillTask& task) {
    return {task.what, true, task.shape.extent(task.to.pitch), task.place};
}

/// Checks that the direction of the copy (cudaMemcpyKind) matches the memory of both pointers.
cudaError_t check_direction(const CopyTask& request, const Allocation* to, const Allocation* from) {
    CopySide wrong = CopySide::none;
    switch (request.kind) {
        case cudaMemcpyDefault:
            return cudaSuccess;
        case cudaMemcpyHostToHost:
            if (is_device(to)) wrong = CopySide::destination;
            if (is_device(from)) wrong = CopySide::source;
            break;
        case cudaMemcpyHostToDevice:
            if (!to) wrong = CopySide::destination;
            if (is_device(from)) wrong = CopySide::source;
            break;
        case cudaMemcpyDeviceToHost:
            if (is_device(to)) wrong = CopySide::destination;
            if (!from) wrong = CopySide::source;
            break;
        case cudaMemcpyDeviceToDevice:
            if (!to) wrong = CopySide::destination;
            if (!from) wrong = CopySide::source;
            break;
        default:
            return cudaErrorInvalidMemcpyDirection;
    }
    if (wrong == CopySide::none) return cudaSuccess;
    const bool is_destination = wrong == CopySide::destination, is_device = is_destination ? to : from;
    return refuse(finding(facts::Rule::wrong_direction, request.place)
                      .with("function", request.what)
                      .with("direction", name_of(request.kind))
                      .with("side", is_destination ? "destination" : "source")
                      .with("is_device", is_device));
}

/// Checks memory of a graph's allocation node. Such memory exists only between the allocation node and the
/// node or call that frees it.
cudaError_t check_exists(const CopyEnd& end, const void* begin) {
    const Allocation* const allocation = find_allocation(begin);
    if (!allocation || !allocation->dormant) return cudaSuccess;
    refuse(wrong_end(facts::Rule::not_there_now, end).on(place_near(begin)));
    return cudaErrorIllegalAddress;
}

}  // namespace

bool is_device(const Allocation* allocation) {
    return allocation && allocation->kind == MemoryKind::device;
}

WorkKind copy_kind(bool to_device, bool from_device) {
    if (to_device != from_device) return to_device ? WorkKind::copy_in : WorkKind::copy_out;
    return WorkKind::copy;
}

Finding wrong_end(facts::Rule rule, const CopyEnd& end) {
    facts::Access access;
    access.who = caller_of(end.function);
    access.write = end.write;
    access.at = line_of(end.place);
    Finding wrong = finding(rule, end.place).with("bytes", end.bytes);
    wrong.accesses.push_back(std::move(access));
    wrong.at = {};
    return wrong;
}

cudaError_t check_range(const CopyEnd& end, const void* begin, const Allocation* allocation) {
    if (!begin) return refuse(wrong_end(facts::Rule::through_null, end));
    if (!allocation && in_device_range(begin))
        return refuse(wrong_end(facts::Rule::nothing_allocated, end).on(place_near(begin)));
    if (!allocation) return cudaSuccess;  // the range is ordinary host memory
    if (allocation->device_heap && !in_kernel())
        return refuse(wrong_end(facts::Rule::kernels_own_memory, end).on(memory_of(*allocation)));
    if (allocation->free_queued && !allocation->of_graph)
        return refuse(wrong_end(facts::Rule::after_free_async, end).on(memory_of(*allocation)));
    const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(begin) - allocation->begin);
    if (end.bytes <= allocation->bytes - offset) return cudaSuccess;
    return refuse(wrong_end(facts::Rule::past_the_end, end)
                      .on(memory_of(*allocation))
                      .with("past", end.bytes - (allocation->bytes - offset))
                      .with("offset", offset));
}

void copy_rows(Rows to, Rows from, Shape shape) {
    for (std::size_t row = 0; row < shape.height; ++row) {
        char* const target = static_cast<char*>(to.begin) + row * to.pitch;
        const char* const source = static_cast<const char*>(from.begin) + row * from.pitch;
        std::memmove(target, source, shape.width);
        observer().copied(target, source, shape.width);
    }
}

cudaError_t check(const CopyTask& task) {
    if (task.shape.height > 1 && (task.to.pitch < task.shape.width || task.from.pitch < task.shape.width))
        return cudaErrorInvalidPitchValue;
    const Allocation* const target = find_allocation(task.to.begin);
    const Allocation* const source = find_allocation(task.from.begin);
    if (const cudaError_t error = check_range(writes(task), task.to.begin, target)) return error;
    if (const cudaError_t error = check_range(reads(task), task.from.begin, source)) return error;
    if (const cudaError_t error = check_direction(task, target, source)) return error;
    if (const cudaError_t error = check_host_range(writes(task), task.to.begin)) return error;
    return check_host_range(reads(task), task.from.begin);
}

cudaError_t check(const FillTask& task) {
    if (task.shape.height > 1 && task.to.pitch < task.shape.width) return cudaErrorInvalidPitchValue;
    const Allocation* const target = find_allocation(task.to.begin);
    if (const cudaError_t error = check_range(writes(task), task.to.begin, target)) return error;
    return target ? cudaSuccess
                  : refuse(finding(facts::Rule::fills_host_memory, task.place).with("function", task.what));
}

cudaError_t run(const CopyTask& task) {
    const auto& [to, from, shape] = std::tie(task.to, task.from, task.shape);
    if (const cudaError_t error = check_host_memory_lives(task)) return error;
    if (const cudaError_t error = check_exists(reads(task), from.begin)) return error;
    if (const cudaError_t error = check_exists(writes(task), to.begin)) return error;
    observer().touches({task.what, task.place, from.begin, from.pitch, shape.width, shape.height, false});
    observer().touches({task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true});
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
    const DeviceWindow readable(from.begin, shape.extent(from.pitch));
    const bool to_host = task.kind == cudaMemcpyDeviceToHost || task.kind == cudaMemcpyHostToHost,
               from_host = task.kind == cudaMemcpyHostToDevice || task.kind == cudaMemcpyHostToHost;
    const ManagedWindow written(to.begin, shape.extent(to.pitch), true,
                                to_host ? the_host : current_device());
    const ManagedWindow read(from.begin, shape.extent(from.pitch), false,
                             from_host ? the_host : current_device());
    copy_rows(to, from, shape);
    keep_constants(to.begin, shape.extent(to.pitch));
    return cudaSuccess;
}

cudaError_t run(const FillTask& task) {
    const auto& [to, shape] = std::tie(task.to, task.shape);
    if (const cudaError_t error = check_exists(writes(task), to.begin)) return error;
    observer().touches({task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true});
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
    const ManagedWindow pages(to.begin, shape.extent(to.pitch), true, current_device());
    for (std::size_t row = 0; row < shape.height; ++row) {
        char* const target = static_cast<char*>(to.begin) + row * to.pitch;
        if (task.element == 1)
            std::memset(target, static_cast<int>(task.value), shape.width);
        else
            for (std::size_t i = 0; i < shape.width; i += task.element)
                std::memcpy(target + i, &task.value, task.element);
        observer().written(target, shape.width);
    }
    keep_constants(to.begin, shape.extent(to.pitch));
    return cudaSuccess;
}

}  // namespace kit::cpu
