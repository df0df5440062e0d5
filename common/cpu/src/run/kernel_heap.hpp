// malloc, free, new and delete in kernels.
#pragma once

#include "memory/device_heap.hpp"

namespace kit::cpu {

/// Enables malloc and free in kernels during the lifetime of the object.
class HeapForKernel {
  public:
    HeapForKernel();
    ~HeapForKernel();
    HeapForKernel(const HeapForKernel&) = delete;
    HeapForKernel& operator=(const HeapForKernel&) = delete;
};

/// Frees a block of the device's heap for the running thread. The caller holds the mutex of the family.
void free_heap_block(Allocation* block, const void* instruction);

}  // namespace kit::cpu
