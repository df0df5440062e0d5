// Blocks of the device's heap are allocations of device memory like others, marked as the heap's.
#include "device_heap.hpp"

#include "device/device.hpp"
#include "memory.hpp"
#include "words/finding.hpp"
#include "words/free_words.hpp"
#include "words/source_lines.hpp"

namespace kit::cpu {

std::atomic<const KernelHeap*> kernel_heap{nullptr};

Allocation* allocate_on_heap(std::size_t bytes, const char* made_by, Place place) {
    const std::size_t limit = device_limit(cudaLimitMallocHeapSize), used = device_heap_bytes();
    if (used > limit || bytes > limit - used) return nullptr;
    Allocation* const allocation = allocate_device(bytes, made_by, true);
    if (!allocation) return nullptr;
    allocation->place = place;
    return allocation;
}

Allocation* heap_block(const void* begin) {
    Allocation* const allocation = allocation_at(begin);
    return allocation && allocation->device_heap ? allocation : nullptr;
}

std::string wrong_to_free(const void* pointer) {
    if (const Allocation* const live = find_allocation(pointer))
        return what_is_wrong(
            {live->device_heap ? FreeFault::inside : FreeFault::kernel_of_hosts, describe_address(pointer)});
    if (const Allocation* const gone = freed_allocation(pointer))
        return what_is_wrong({FreeFault::freed_before, describe(*gone)});
    return what_is_wrong({FreeFault::kernel_never_allocated, ""});
}

void free_device_memory(void* begin, const void* caller) {
    const KernelHeap* const heap = kernel_heap.load(std::memory_order_relaxed);
    if (heap && heap->free(begin, caller)) return;
    add_finding(device_memory_freed_as_hosts(describe_address(begin), place_of_call(caller)));
}

}  // namespace kit::cpu
