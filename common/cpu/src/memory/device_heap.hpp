// The device's heap: blocks that kernels allocate with malloc, new and cudaMalloc, and free.
#pragma once

#include <atomic>
#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>

#include "source/findings.hpp"

namespace kit::cpu {

struct Allocation;

/// Returns a new block; null if the heap (cudaLimitMallocHeapSize) is exhausted. `made_by` is the called
/// function, such as "malloc".
Allocation* allocate_on_heap(std::size_t bytes, const char* made_by, Place place);

/// Returns the block of the heap that begins at this address; null for all other memory.
Allocation* heap_block(const void* begin);

/// Returns a finding with the reason why a kernel cannot free this pointer.
Finding wrong_to_free(const void* pointer, const Spot& spot);

/// Functions for malloc, free, new and delete, which device code and host code share (host_allocation.cpp).
/// While a kernel runs, they call these functions of run/kernel_heap.cpp.
struct KernelHeap {
    bool (*asked)(const void* caller);  ///< whether device code is the caller; `caller` is the return address
    void* (*allocate)(std::size_t bytes, const char* made_by, const void* caller);
    bool (*free)(void* begin, const void* caller);  ///< returns false if the caller is not a thread of a
                                                    ///< kernel
};
extern std::atomic<const KernelHeap*> kernel_heap;  ///< null while no kernel runs

inline const KernelHeap* heap_asked_by(const void* caller) {
    const KernelHeap* const heap = kernel_heap.load(std::memory_order_relaxed);
    return heap && heap->asked(caller) ? heap : nullptr;
}

/// Called when host code or device code passes device memory to free() or delete.
void free_device_memory(void* begin, const void* caller);

}  // namespace kit::cpu
