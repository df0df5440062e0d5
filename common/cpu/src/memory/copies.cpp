// One copy or fill: is it right, and what does it do to memory?
#include "copies.hpp"

#include <cstring>
#include <tuple>

#include "device/constants.hpp"
#include "events.hpp"
#include "memory.hpp"
#include "words/finding.hpp"
#include "words/phrases.hpp"

namespace kit::cpu {
namespace {

cudaError_t refuse(const char* kind, const std::string& message, Place place) {
    add_finding({kind, message + " at " + describe(place), place});
    return cudaErrorInvalidValue;
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

/// Memory that a node of a graph allocates is there only while that node has run and no other has freed it.
cudaError_t check_exists(const char* what, const char* does, const void* begin, Place place) {
    const Allocation* const allocation = find_allocation(begin);
    if (!allocation || !allocation->dormant) return cudaSuccess;
    refuse("address", std::string(what) + " " + does + " " + describe_address(begin), place);
    return cudaErrorIllegalAddress;
}

}  // namespace

bool is_device(const Allocation* allocation) {
    return allocation && allocation->kind == MemoryKind::device;
}

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
    if (allocation->device_heap && !in_kernel())
        return refuse(
            "argument",
            start + " of " + describe(*allocation) +
                ": no function of the runtime may touch what kernels allocate; a kernel must copy it",
            place);
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
    observer().touches({task.what, task.place, from.begin, from.pitch, shape.width, shape.height, false});
    observer().touches({task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true});
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
    const DeviceWindow readable(from.begin, shape.extent(from.pitch));
    copy_rows(to, from, shape);
    keep_constants(to.begin, shape.extent(to.pitch));
    return cudaSuccess;
}

cudaError_t run(const FillTask& task) {
    const auto& [to, shape] = std::tie(task.to, task.shape);
    if (const cudaError_t error = check_exists(task.what, "writes", to.begin, task.place)) return error;
    observer().touches({task.what, task.place, to.begin, to.pitch, shape.width, shape.height, true});
    const DeviceWindow writable(to.begin, shape.extent(to.pitch));
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
