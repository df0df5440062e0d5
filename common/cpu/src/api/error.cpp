// API functions that return errors, their names and their descriptions.
#include "device/error.hpp"

#include <cuda_runtime_api.h>

#include "api.hpp"

using namespace kit::cpu;

cudaError_t cudaPeekAtLastError() {
    if (in_kernel()) return kernel_error(false);
    return last_error();  // the last error can be cleared even if it is sticky; other calls still return it
}

cudaError_t cudaGetLastError() {
    if (in_kernel()) return kernel_error(true);
    const cudaError_t error = cudaPeekAtLastError();
    forget_last_error();
    return error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define KIT_CPU_NAME(name, number, text) \
    case name:                           \
        return #name;
        KIT_CPU_CUDA_ERRORS(KIT_CPU_NAME)
#undef KIT_CPU_NAME
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define KIT_CPU_TEXT(name, number, text) \
    case name:                           \
        return text;
        KIT_CPU_CUDA_ERRORS(KIT_CPU_TEXT)
#undef KIT_CPU_TEXT
    }
    return "unrecognized error code";
}
