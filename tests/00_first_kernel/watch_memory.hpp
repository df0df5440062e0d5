// For the exercise vector_add: gives cudaMalloc and cudaFree in the including file guard zones, so that a missing guard in
// the kernel is detected on a GPU, too. Include kit.cuh first, so that its own calls are not replaced.
#pragma once

#include "00_first_kernel/allocations.hpp"
#include "kit.cuh"

/// Replaces cudaFree. It is a function and not a macro with arguments, so that `&cudaFree` as the deleter of a smart pointer refers to it, and it is global, so that `::cudaFree` does, too.
inline cudaError_t kit_guarded_free(void* address) {
    return first_kernel::guarded_free(address);
}

#define cudaMalloc(address, bytes) ::first_kernel::guarded_malloc(address, bytes, #address)
#define cudaFree kit_guarded_free
