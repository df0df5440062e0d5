// A header that is included by a header, in another folder: for language_headers_test.cu.
#pragma once

#include "../language_headers.cuh"  // a circle

/// 1 on the device.
template <class T>
__device__ T nested() {
#ifdef __CUDA_ARCH__
    return T(1);
#else
    return T(0);
#endif
}

/// The line of this function's body, and the name of this file.
inline int line_in_header() {
    return __LINE__;
}
inline const char* file_of_header() {
    return __FILE__;
}

#if defined(__CUDACC__) && defined(__CUDA_RUNTIME_H__) && defined(__DRIVER_TYPES_H__)
constexpr bool compiled_as_cuda = true;
#endif
