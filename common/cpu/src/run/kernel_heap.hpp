// malloc, free, new and delete of the threads of a kernel.
#pragma once

#include "memory/device_heap.hpp"

namespace kit::cpu {

/// While an object of this class exists, threads of a kernel can allocate.
class HeapForKernel {
  public:
    HeapForKernel();
    ~HeapForKernel();
    HeapForKernel(const HeapForKernel&) = delete;
    HeapForKernel& operator=(const HeapForKernel&) = delete;
};

/// Frees a block of the heap on behalf of the running thread, with the family's mutex held.
void free_heap_block(Allocation* block, const void* instruction);

}  // namespace kit::cpu
