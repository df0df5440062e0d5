// The heap of the device: the blocks that malloc, new and cudaMalloc in kernels allocate, and that kernels free.
#pragma once

#include <atomic>
#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>

#include "source/findings.hpp"

namespace kit::cpu {

struct Allocation;

/// Returns a new block; null when the heap (cudaLimitMallocHeapSize) is exhausted. `made_by`: "malloc" or the like.
Allocation* allocate_on_heap(std::size_t bytes, const char* made_by, Place place);

/// Returns the block that begins here and that a kernel has allocated; null for all other memory.
Allocation* heap_block(const void* begin);

/// Returns a finding that says why a kernel cannot free this.
Finding wrong_to_free(const void* pointer, const Spot& spot);

/// malloc, free, new and delete are the same functions for host and device (host_allocation.cpp). While a kernel runs, they ask which of
/// the two calls; run/kernel_heap.cpp answers.
struct KernelHeap {
    bool (*asked)(
        const void* caller);  ///< whether device code calls; `caller` is the instruction after the call
    void* (*allocate)(std::size_t bytes, const char* made_by, const void* caller);
    bool (*free)(void* begin, const void* caller);  ///< false if the caller is not a thread of a kernel
};
extern std::atomic<const KernelHeap*> kernel_heap;  ///< null while no kernel runs

inline const KernelHeap* heap_asked_by(const void* caller) {
    const KernelHeap* const heap = kernel_heap.load(std::memory_order_relaxed);
    return heap && heap->asked(caller) ? heap : nullptr;
}

/// Called when free() or delete is called for device memory.
void free_device_memory(void* begin, const void* caller);

}  // namespace kit::cpu
