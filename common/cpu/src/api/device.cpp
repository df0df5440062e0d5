// API functions for a whole device: reset, limits, peer access, and settings that have no effect here.
#include "device/device.hpp"

#include <channel_descriptor.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <time.h>

#include <algorithm>
#include <kit_cpu/thread.hpp>

#include "api.hpp"
#include "device/cache_lines.hpp"
#include "device/devices.hpp"
#include "device/kernel_settings.hpp"
#include "device/launch_limits.hpp"
#include "memory/memory.hpp"
#include "run/stream.hpp"

using namespace kit::cpu;

namespace {

// These limits are stored and returned, but they do not change the executor's own stacks and buffers.
constexpr std::size_t default_limits[] = {1024, 7339776, 8388608, 2, 2048, 64, 0};
std::size_t limits[] = {1024, 7339776, 8388608, 2, 2048, 64, 0};

bool is_supported(cudaLimit limit) {
    return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize &&
           limit != cudaLimitDevRuntimeSyncDepth;
}

bool is_peer(int device) {
    return is_device_number(device) && device != current_device();
}

/// Returns the size of the set-aside part of the L2 cache, which is rounded up to a multiple of a sixteenth.
std::size_t set_aside_for(std::size_t bytes) {
    const std::size_t part = static_cast<std::size_t>(device().l2_bytes) / 16;
    return (bytes + part - 1) / part * part;
}

}  // namespace

std::size_t kit::cpu::device_limit(cudaLimit limit) {
    return limits[limit];
}

cudaError_t cudaDeviceReset() {
    return fact_call([] {
        if (in_host_function()) return cudaErrorNotPermitted;
        if (sticky_error() == cudaSuccess) finish_device(current_device());
        reset_streams(current_device());
        release_everything(current_device());
        forget_access(current_device());
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
        if (limit == cudaLimitPersistingL2CacheSize) {
            if (value > static_cast<std::size_t>(device().l2_persisting_bytes)) return cudaErrorInvalidValue;
            value = set_aside_for(value);
        }
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

// Since Kepler, the width of a bank of shared memory is fixed, so this setting has no effect.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return api_call([] { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return question([&] {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return api_call([] {
        persisting_lines_reset();
        return cudaSuccess;
    });
}

// All devices are peers of each other, as on a board with links between all GPUs. No device is its own peer.
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
    return api_call([&] {
        if (flags) return cudaErrorInvalidValue;
        if (!is_device_number(peerDevice)) return cudaErrorInvalidDevice;
        if (!peer_is_possible(current_device(), peerDevice)) return cudaErrorPeerAccessUnsupported;
        return change_access(current_device(), peerDevice, true) ? cudaSuccess
                                                                 : cudaErrorPeerAccessAlreadyEnabled;
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
    return api_call([&] {
        if (!is_device_number(peerDevice)) return cudaErrorInvalidDevice;
        if (!is_peer(peerDevice)) return cudaErrorPeerAccessNotEnabled;  // the two are the same device
        if (const cudaError_t error = finish_device(current_device())) return error;
        return change_access(current_device(), peerDevice, false) ? cudaSuccess
                                                                  : cudaErrorPeerAccessNotEnabled;
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peerDevice) {
    return fact_call([&] {
        if (!value) return cudaErrorInvalidValue;
        if (!is_device_number(device) || !is_device_number(peerDevice) || device == peerDevice)
            return cudaErrorInvalidDevice;
        *value = attribute != cudaDevP2PAttrPerformanceRank;
        return cudaSuccess;
    });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return fact_call([&] {
        if (!device || !wanted) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return api_call([&] {
        if (count < 0 || (count > 0 && !devices)) return cudaErrorInvalidValue;
        return std::all_of(devices, devices + count, is_device_number) ? cudaSuccess : cudaErrorInvalidDevice;
    });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaProfilerStart() {
    return api_call([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
    return api_call([] { return cudaSuccess; });
}

// Replaces clock() of the C library. In a kernel, clock() returns the counter of the multiprocessor, like
// clock64(). In host code, clock() returns the processor time of the process in microseconds, as in the C
// library.

extern "C" clock_t clock() noexcept {
    const bool on_device = kit::cpu::in_kernel();
    if (on_device) kit::cpu::yield();  // a thread that polls the clock lets other threads run
    timespec now{};
    clock_gettime(on_device ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
    return on_device ? now.tv_sec * 1'000'000'000 + now.tv_nsec
                     : now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}
