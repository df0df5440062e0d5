// For the exercise vector_add: cudaMalloc and cudaFree of the file that includes this get guard zones, so that
// a missing guard in the kernel shows on a GPU too. kit.cuh comes first: its own calls stay as they are.
#pragma once

#include "00_first_kernel/allocations.hpp"
#include "kit.cuh"

/// A function, so that `&cudaFree` as the deleter of a smart pointer means it, too, and a global one for `::cudaFree`.
inline cudaError_t kit_guarded_free(void* address) {
    return first_kernel::guarded_free(address);
}

#define cudaMalloc(address, bytes) ::first_kernel::guarded_malloc(address, bytes, #address)
#define cudaFree kit_guarded_free
