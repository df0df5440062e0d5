// API functions that return facts about a device: properties, attributes, versions.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "api.hpp"
#include "device/device.hpp"
#include "device/devices.hpp"
#include "memory/managed_pages.hpp"

using namespace kit::cpu;

namespace {

/// Returns the PCI bus id of a device. Each device is on its own bus.
std::string bus_id(int device) {
    return "0000:0" + std::to_string(device + 1) + ":00.0";
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
    return fact_question([&] {
        if (!count) return cudaErrorInvalidValue;
        *count = device_count();
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return fact_question([&] {
        if (!device) return cudaErrorInvalidValue;
        *device = current_device();
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return fact_call([&] {
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        choose_device_of_thread(device);
        return cudaSuccess;
    });
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
    return api_call([&] { return is_device_number(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaSetDeviceFlags(unsigned int) {
    return api_call([] { return cudaSuccess; });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    return fact_call([&] {
        if (!flags) return cudaErrorInvalidValue;
        *flags = cudaDeviceMapHost;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device) {
    return fact_call([&] {
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        if (!name || length < 13) return cudaErrorInvalidValue;
        std::snprintf(name, static_cast<std::size_t>(length), "%s", bus_id(device).c_str());
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name) {
    return fact_call([&] {
        if (!device || !name) return cudaErrorInvalidValue;
        for (int one = 0; one < device_count(); ++one)
            if (bus_id(one) == name || bus_id(one) == std::string("0000:") + name) {
                *device = one;
                return cudaSuccess;
            }
        return cudaErrorInvalidDevice;
    });
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccess, int device, int peerDevice) {
    return fact_call([&] {
        if (!canAccess) return cudaErrorInvalidValue;
        if (!is_device_number(device) || !is_device_number(peerDevice)) return cudaErrorInvalidDevice;
        *canAccess = peer_is_possible(device, peerDevice);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return fact_call([&] {
        if (least) *least = 0;
        if (greatest) *greatest = -5;
        return cudaSuccess;
    });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    return fact_question([&] {
        if (!version) return cudaErrorInvalidValue;
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return fact_call([&] {
        if (!properties) return cudaErrorInvalidValue;
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        const Device& d = kit::cpu::device();
        cudaDeviceProp p;
        std::memset(&p, 0, sizeof p);
        std::snprintf(p.name, sizeof p.name, "%s", d.name);
        std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "kit-cpu-%s", d.key);
        p.uuid.bytes[15] = static_cast<char>(device);
        p.totalGlobalMem = d.memory;
        p.sharedMemPerBlock = shared_per_block;
        p.regsPerBlock = p.regsPerMultiprocessor = registers_per_block;
        p.warpSize = 32;
        p.memPitch = 2147483647;
        p.maxThreadsPerBlock = max_block_threads;
        for (int i = 0; i < 3; ++i) {
            p.maxThreadsDim[i] = static_cast<int>(max_block_dim[i]);
            p.maxGridSize[i] = static_cast<int>(max_grid_dim[i]);
        }
        p.totalConstMem = 65536;
        p.major = d.major;
        p.minor = d.minor;
        p.textureAlignment = p.surfaceAlignment = 512;
        p.texturePitchAlignment = 32;
        p.multiProcessorCount = d.multiprocessors;
        p.canMapHostMemory = p.concurrentKernels = p.ECCEnabled = 1;
        p.unifiedAddressing = 1;
        p.pciBusID = device + 1;
        p.asyncEngineCount = d.copy_engines;
        p.memoryBusWidth = d.bus_bits;
        p.l2CacheSize = d.l2_bytes;
        p.persistingL2CacheMaxSize = d.l2_persisting_bytes;
        p.accessPolicyMaxWindowSize = d.access_window_bytes;
        p.maxThreadsPerMultiProcessor = d.threads_per_multiprocessor;
        p.maxBlocksPerMultiProcessor = d.blocks_per_multiprocessor;
        p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
        p.sharedMemPerMultiprocessor = d.shared_per_multiprocessor;
        p.sharedMemPerBlockOptin = d.shared_per_block_optin;
        p.reservedSharedMemPerBlock = d.shared_reserved;
        p.managedMemory = p.computePreemptionSupported = 1;
        p.concurrentManagedAccess = concurrent_managed_access();
        p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = p.hostRegisterSupported = 1;
        p.memoryPoolsSupported = p.unifiedFunctionPointers = 1;
        p.clusterLaunch = d.major >= 9;
        *properties = p;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return fact_question([&] {
        if (!value) return cudaErrorInvalidValue;
        if (!is_device_number(device)) return cudaErrorInvalidDevice;
        const Device& d = kit::cpu::device();
        auto answer = [&](auto number) {
            *value = static_cast<int>(number);
            return cudaSuccess;
        };
        switch (attribute) {
            case cudaDevAttrMaxThreadsPerBlock:
                return answer(max_block_threads);
            case cudaDevAttrMaxBlockDimX:
                return answer(max_block_dim[0]);
            case cudaDevAttrMaxBlockDimY:
                return answer(max_block_dim[1]);
            case cudaDevAttrMaxBlockDimZ:
                return answer(max_block_dim[2]);
            case cudaDevAttrMaxGridDimX:
                return answer(max_grid_dim[0]);
            case cudaDevAttrMaxGridDimY:
                return answer(max_grid_dim[1]);
            case cudaDevAttrMaxGridDimZ:
                return answer(max_grid_dim[2]);
            case cudaDevAttrMaxSharedMemoryPerBlock:
                return answer(shared_per_block);
            case cudaDevAttrMaxSharedMemoryPerBlockOptin:
                return answer(d.shared_per_block_optin);
            case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
                return answer(d.shared_per_multiprocessor);
            case cudaDevAttrReservedSharedMemoryPerBlock:
                return answer(d.shared_reserved);
            case cudaDevAttrTotalConstantMemory:
                return answer(65536);
            case cudaDevAttrWarpSize:
                return answer(32);
            case cudaDevAttrMaxPitch:
                return answer(2147483647);
            case cudaDevAttrMaxRegistersPerBlock:
            case cudaDevAttrMaxRegistersPerMultiprocessor:
                return answer(registers_per_block);
            case cudaDevAttrClockRate:
                return answer(d.clock_khz);
            case cudaDevAttrMemoryClockRate:
                return answer(d.memory_clock_khz);
            case cudaDevAttrGlobalMemoryBusWidth:
                return answer(d.bus_bits);
            case cudaDevAttrMultiProcessorCount:
                return answer(d.multiprocessors);
            case cudaDevAttrMaxThreadsPerMultiProcessor:
                return answer(d.threads_per_multiprocessor);
            case cudaDevAttrMaxBlocksPerMultiprocessor:
                return answer(d.blocks_per_multiprocessor);
            case cudaDevAttrComputeCapabilityMajor:
                return answer(d.major);
            case cudaDevAttrComputeCapabilityMinor:
                return answer(d.minor);
            case cudaDevAttrL2CacheSize:
                return answer(d.l2_bytes);
            case cudaDevAttrMaxPersistingL2CacheSize:
                return answer(d.l2_persisting_bytes);
            case cudaDevAttrMaxAccessPolicyWindowSize:
                return answer(d.access_window_bytes);
            case cudaDevAttrAsyncEngineCount:
                return answer(d.copy_engines);
            case cudaDevAttrSingleToDoublePrecisionPerfRatio:
                return answer(d.single_to_double);
            case cudaDevAttrPciBusId:
                return answer(device + 1);
            case cudaDevAttrConcurrentManagedAccess:
                return answer(concurrent_managed_access());
            case cudaDevAttrGpuOverlap:
            case cudaDevAttrCanMapHostMemory:
            case cudaDevAttrConcurrentKernels:
            case cudaDevAttrEccEnabled:
            case cudaDevAttrUnifiedAddressing:
            case cudaDevAttrStreamPrioritiesSupported:
            case cudaDevAttrGlobalL1CacheSupported:
            case cudaDevAttrLocalL1CacheSupported:
            case cudaDevAttrManagedMemory:
            case cudaDevAttrComputePreemptionSupported:
            case cudaDevAttrCanUseHostPointerForRegisteredMem:
            case cudaDevAttrCooperativeLaunch:
            case cudaDevAttrHostRegisterSupported:
            case cudaDevAttrMemoryPoolsSupported:
                return answer(1);
            case cudaDevAttrKernelExecTimeout:
            case cudaDevAttrIntegrated:
            case cudaDevAttrComputeMode:
            case cudaDevAttrPciDeviceId:
            case cudaDevAttrPciDomainId:
            case cudaDevAttrHostNativeAtomicSupported:
            case cudaDevAttrPageableMemoryAccess:
            case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
            case cudaDevAttrDirectManagedMemAccessFromHost:
            case cudaDevAttrHostRegisterReadOnlySupported:
                return answer(0);
            case cudaDevAttrClusterLaunch:
                return answer(d.major >= 9);
        }
        return cudaErrorInvalidValue;
    });
}
