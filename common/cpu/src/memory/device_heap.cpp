// The device's heap. The blocks of this heap are allocations of device memory with a mark.
#include "device_heap.hpp"

#include "device/device.hpp"
#include "memory.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"

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

Finding wrong_to_free(const void* pointer, const Spot& spot) {
    if (const Allocation* const live = find_allocation(pointer))
        return finding(live->device_heap ? facts::Rule::kernel_frees_inside : facts::Rule::kernel_frees_hosts,
                       spot)
            .on(place_near(pointer));
    if (const Allocation* const gone = freed_allocation(pointer))
        return finding(facts::Rule::kernel_frees_again, spot).on(memory_of(*gone));
    return finding(facts::Rule::kernel_frees_unallocated, spot);
}

void free_device_memory(void* begin, const void* caller) {
    const KernelHeap* const heap = kernel_heap.load(std::memory_order_relaxed);
    if (heap && heap->free(begin, caller)) return;
    add_finding(
        finding(facts::Rule::device_memory_freed_as_hosts, place_of_call(caller)).on(place_near(begin)));
}

}  // namespace kit::cpu
