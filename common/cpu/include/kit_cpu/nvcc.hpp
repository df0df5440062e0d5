// The macros and names that nvcc defines in a .cu file. The translator includes this after cuda_runtime.h, so
// a header that is shared with C++ code declares its kernels. __CUDA_ARCH__ is defined only in device code
// (translate/rewrite_architecture.cpp).
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Returns whether a __host__ __device__ function runs on the device. In a constant expression, such a
/// function counts as running on the host.
constexpr bool in_device_code() {
    return !__builtin_is_constant_evaluated() && in_kernel();
}

// Functions for special registers of PTX that have no name in CUDA C++.

/// Returns the value of %nsmid. %smid is computed from the block index: blocks are assigned to
/// multiprocessors in turn.
KIT_CPU_UNCHECKED inline unsigned multiprocessors() {
    const InExecutor inside;
    int count = 1;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return static_cast<unsigned>(count);
}
inline unsigned multiprocessor() {
    return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % multiprocessors();
}
/// Returns the value of %globaltimer.
KIT_CPU_UNCHECKED inline unsigned long long nanoseconds() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<unsigned long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace kit::cpu

#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

// A promise for nvcc's optimizer, which clang supports as well.
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)
#endif
