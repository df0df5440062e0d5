// The API calls that change the device as a whole: reset and limits.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "device.hpp"
#include "kernel_settings.hpp"
#include "launch_limits.hpp"
#include "memory.hpp"
#include "stream.hpp"

using namespace kit::cpu;

namespace {

// Kept and answered; the executor's own stacks and buffers do not depend on them.
constexpr std::size_t default_limits[] = {1024, 7339776, 8388608, 2, 2048, 64, 0};
std::size_t limits[] = {1024, 7339776, 8388608, 2, 2048, 64, 0};

bool is_supported(cudaLimit limit) {
    return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize &&
           limit != cudaLimitDevRuntimeSyncDepth;
}

}  // namespace

std::size_t kit::cpu::device_limit(cudaLimit limit) {
    return limits[limit];
}

cudaError_t cudaDeviceReset() {
    return fact_call([] {
        if (in_host_function()) return cudaErrorNotPermitted;
        if (sticky_error() == cudaSuccess) finish_all();
        reset_streams();
        release_everything();
        forget_kernel_settings();
        for (std::size_t i = 0; i < sizeof limits / sizeof *limits; ++i) limits[i] = default_limits[i];
        forget_errors();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return question([&] {
        if (!value) return cudaErrorInvalidValue;
        if (!is_supported(limit)) return cudaErrorUnsupportedLimit;
        *value = limits[limit];
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return api_call([&] {
        if (!is_supported(limit)) return cudaErrorUnsupportedLimit;
        limits[limit] = value;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return api_call([] { return cudaSuccess; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return api_call([&] {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}
