// Gaps that kernels on a GPU reach, in host memory, where the grader finds them even if a kernel fails or never ends.
#pragma once

#include <cuda_runtime.h>

#include <kit.cuh>
#include <new>

#ifndef KIT_CPU

namespace kit::detail {

/// Gives the kernels of the current device a place in host memory, where they note the first gap that they reach. Returns this place; null
/// if the device cannot use it. The place belongs to the program and not to CUDA, so it outlives a cudaDeviceReset() of the student's code.
inline volatile ReachedGap* watch_gaps() {
    constexpr std::size_t page = 4096;
    alignas(page) static unsigned char place[page];
    static_assert(sizeof(ReachedGap) <= page);
    const unsigned int flags = cudaHostRegisterMapped | cudaHostRegisterPortable;
    void* on_device = nullptr;
    if (!GapOfSource::first || cudaHostRegister(place, page, flags) != cudaSuccess ||
        cudaHostGetDevicePointer(&on_device, place, 0) != cudaSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    volatile ReachedGap* const gap = new (place) ReachedGap();
    for (const GapOfSource* one = GapOfSource::first; one; one = one->next)
        cudaMemcpyToSymbol(one->symbol, &on_device, sizeof on_device);
    cudaGetLastError();
    return gap;
}

}  // namespace kit::detail

#endif
