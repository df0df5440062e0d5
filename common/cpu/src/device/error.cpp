// Stores the last error of each thread and the sticky error of the device.
#include "error.hpp"

#include <atomic>

namespace kit::cpu {
namespace {

thread_local cudaError_t newest = cudaSuccess;
std::atomic<cudaError_t> sticky{cudaSuccess};

}  // namespace

cudaError_t note_error(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) newest = error;
    return error;
}

cudaError_t sticky_error() {
    return sticky;
}

void set_sticky_error(cudaError_t error) {
    sticky = error;
}

cudaError_t last_error() {
    return newest;
}

void forget_last_error() {
    newest = cudaSuccess;
}

void forget_errors() {
    sticky = cudaSuccess;
    newest = cudaSuccess;
}

}  // namespace kit::cpu
