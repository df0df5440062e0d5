// A header in another folder that is included by a header, for language_headers_test.cu.
#pragma once

#include "../language_headers.cuh"  // these two headers include each other

/// Returns 1 on the device.
template <class T>
__device__ T nested() {
#ifdef __CUDA_ARCH__
    return T(1);
#else
    return T(0);
#endif
}

/// Returns the number of the line in its body. The test also checks the name of this file.
inline int line_in_header() {
    return __LINE__;
}
inline const char* file_of_header() {
    return __FILE__;
}

#if defined(__CUDACC__) && defined(__CUDA_RUNTIME_H__) && defined(__DRIVER_TYPES_H__)
constexpr bool compiled_as_cuda = true;
#endif
