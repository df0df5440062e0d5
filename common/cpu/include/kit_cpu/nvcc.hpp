// What nvcc defines where it compiles a .cu file. The translator includes this behind cuda_runtime.h, so that a header that
// is shared with C++ shows its kernels. __CUDA_ARCH__ is defined in device code only (translate/rewrite_architecture.cpp).
#pragma once

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// What a __host__ __device__ function asks that has a body for each; the compiler's own evaluation is the host's.
constexpr bool in_device_code() {
    return !__builtin_is_constant_evaluated() && in_kernel();
}

}  // namespace kit::cpu

#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
