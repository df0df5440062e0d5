// Kernels, launches and shared variables in a header: for language_headers_test.cu.
#pragma once

#include "language/nested.cuh"

__shared__ int of_header[4];

__global__ void in_header(int* out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 3;
    of_header[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s + of_header[3 - threadIdx.x];
}

template <class T>
__global__ void template_in_header(T* out, T value = T(9)) {
    *out = value + nested<T>();
}

inline void launch_from_header(int* out) {
    template_in_header<<<1, 1>>>(out, 20);
}

/// A macro with a launch. The test uses this macro with its own kernel.
#define LAUNCH(kernel, ...) kernel<<<1, 4>>>(__VA_ARGS__)
