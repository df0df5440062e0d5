// CUDA's error reporting: names, texts, the last error of a thread and the sticky error of the device.
#include "error.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

#include "api/api.hpp"
#include "run/device_runtime.hpp"

namespace kit::cpu {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> sticky{cudaSuccess};

}  // namespace

cudaError_t note_error(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    return error;
}

cudaError_t sticky_error() {
    return sticky;
}

void set_sticky_error(cudaError_t error) {
    sticky = error;
}

void forget_errors() {
    sticky = cudaSuccess;
    last_error = cudaSuccess;
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaPeekAtLastError() {
    if (in_kernel()) return kernel_error(false);
    return last_error;  // also a sticky error is read away here; every other call goes on returning it
}

cudaError_t cudaGetLastError() {
    if (in_kernel()) return kernel_error(true);
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
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
