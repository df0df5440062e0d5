// What a copy does, to which memory, and why it may not.
#include "copy_words.hpp"

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

/// "cudaMemcpy writes "
std::string does(const CopyEnd& end) {
    return std::string(end.function) + (end.write ? " writes " : " reads ");
}

std::string does_with_bytes(const CopyEnd& end) {
    return does(end) + count_bytes(end.bytes);
}

Finding refused(const char* kind, const std::string& message, Place place) {
    return {kind, message + " at " + describe(place), place};
}

std::string name_of(cudaMemcpyKind kind) {
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

}  // namespace

Finding through_null(const CopyEnd& end) {
    return refused("address", does_with_bytes(end) + " through a null pointer", end.place);
}

Finding nothing_allocated(const CopyEnd& end, const std::string& near) {
    return refused("address",
                   does_with_bytes(end) + " where nothing is allocated" + (near.empty() ? "" : ": " + near),
                   end.place);
}

Finding kernels_own_memory(const CopyEnd& end, const AllocationFacts& allocation) {
    return refused("argument",
                   does_with_bytes(end) + " of " + describe(allocation) +
                       ": no function of the runtime may touch what kernels allocate; a kernel must copy it",
                   end.place);
}

Finding after_free_async(const CopyEnd& end, const AllocationFacts& allocation) {
    return refused("address",
                   does_with_bytes(end) + " of " + describe(allocation) + ", after cudaFreeAsync freed them",
                   end.place);
}

Finding past_the_end(const CopyEnd& end, std::size_t past, const std::string& memory, std::size_t offset) {
    return refused("address",
                   does_with_bytes(end) + ", " + count_bytes(past) + " past the end of " + memory +
                       (offset ? ", from byte " + std::to_string(offset) + " on" : ""),
                   end.place);
}

Finding not_there_now(const CopyEnd& end, const std::string& memory) {
    return refused("address", does(end) + memory, end.place);
}

Finding freed_meanwhile(const CopyEnd& end, const std::string& memory, Place freed) {
    return {"address",
            std::string(end.function) + " at " + describe(end.place) + (end.write ? " writes " : " reads ") +
                count_bytes(end.bytes) + " of " + memory +
                ", which have been freed before the copy was done" +
                (freed.line ? ", at " + describe(freed) : ""),
            end.place};
}

Finding wrong_direction(const char* function, cudaMemcpyKind kind, CopySide side, bool is_device,
                        Place place) {
    return refused("argument",
                   std::string(function) + " with " + name_of(kind) + ": the " +
                       (side == CopySide::destination ? "destination" : "source") + " is " +
                       (is_device ? "device memory" : "ordinary host memory") +
                       " (the destination comes first)",
                   place);
}

Finding fills_host_memory(const char* function, Place place) {
    return refused("argument", std::string(function) + ": the destination is ordinary host memory", place);
}

Finding beyond_variable(const char* function, std::size_t bytes, std::size_t offset,
                        std::size_t variable_bytes, Place place) {
    return refused("address",
                   std::string(function) + " of " + count_bytes(bytes) + " at offset " +
                       std::to_string(offset) + ": the variable has only " + count_bytes(variable_bytes),
                   place);
}

}  // namespace kit::cpu
