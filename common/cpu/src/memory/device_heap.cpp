// Blocks of the device's heap are allocations of device memory like others, marked as the heap's.
#include "device_heap.hpp"

#include "device/device.hpp"
#include "memory.hpp"
#include "words/finding.hpp"
#include "words/phrases.hpp"
#include "words/symbols.hpp"

namespace kit::cpu {

std::atomic<const KernelHeap*> kernel_heap{nullptr};

Allocation* allocate_on_heap(std::size_t bytes, const char* what, Place place) {
    const std::size_t limit = device_limit(cudaLimitMallocHeapSize), used = device_heap_bytes();
    if (used > limit || bytes > limit - used) return nullptr;
    Allocation* const allocation = allocate_device(bytes, what);
    if (!allocation) return nullptr;
    mark_as_heap(*allocation);
    allocation->place = place;
    return allocation;
}

Allocation* heap_block(const void* begin) {
    Allocation* const allocation = allocation_at(begin);
    return allocation && allocation->device_heap ? allocation : nullptr;
}

std::string wrong_to_free(const void* pointer) {
    if (const Allocation* const live = find_allocation(pointer)) {
        if (!live->device_heap)
            return "this is " + describe_address(pointer) +
                   ", which the host frees: kernels free what kernels allocate";
        return "this is " + describe_address(pointer) + "; only its first byte frees it";
    }
    if (const Allocation* const gone = freed_allocation(pointer))
        return "freed twice: " + describe(*gone) + " have been freed before";
    return "this is no memory that a kernel has allocated";
}

void free_device_memory(void* begin, const void* caller) {
    const KernelHeap* const heap = kernel_heap.load(std::memory_order_relaxed);
    if (heap && heap->free(begin, caller)) return;
    Place place;
    place.instruction = static_cast<const char*>(caller) - 1;
    place.line = Place::of_instruction;
    const std::string where = describe_address(begin);
    add_finding(
        {"argument",
         "host code calls free() or delete at " + describe(look_up(place)) + " for device memory" +
             (where.empty() ? "" : ", " + where) +
             ": cudaFree frees what cudaMalloc has allocated, and a kernel what a kernel has allocated",
         place});
}

}  // namespace kit::cpu
