// The driver API in terms of the runtime's functions. Its errors have the same numbers, and do not become the runtime's last
// error.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>
#include <vector>

#include "api.hpp"
#include "copy.hpp"
#include "device/device.hpp"
#include "run/stream.hpp"

/// A handle and no more: there is one device, whose state all contexts share.
struct CUctx_st {
    unsigned flags = 0;
};

using namespace kit::cpu;

namespace {

CUctx_st primary;
auto& created = *new std::set<CUcontext>;
thread_local std::vector<CUcontext> current{&primary};

bool exists(CUcontext context) {
    return context == &primary || created.count(context);
}

CUresult driver_error(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define KIT_CPU_SAME(name, number) \
    case number:                   \
        return name;
        KIT_CPU_DRIVER_ERRORS(KIT_CPU_SAME)
#undef KIT_CPU_SAME
        default:  // errors that only the runtime knows, about its own arguments
            return CUDA_ERROR_INVALID_VALUE;
    }
}

/// Calls the runtime, whose last error stays what it was.
template <class Body>
CUresult driver_call(Body body) {
    if (in_kernel()) refuse_in_kernel();
    const cudaError_t before = cudaGetLastError();
    const cudaError_t error = body();
    cudaGetLastError();
    note_error(before);
    return driver_error(error);
}

/// The same for what is about the one device.
template <class Body>
CUresult device_call(CUdevice device, Body body) {
    return device == 0 ? driver_call(body) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult answer(bool holds, CUresult otherwise = CUDA_ERROR_INVALID_VALUE) {
    return holds ? CUDA_SUCCESS : otherwise;
}

void* memory(CUdeviceptr pointer) {
    return reinterpret_cast<void*>(pointer);
}
void** memory(CUdeviceptr* pointer) {
    return reinterpret_cast<void**>(pointer);
}

CUresult fill_elements(const char* what, CUdeviceptr to, unsigned value, std::size_t element,
                       std::size_t count, CUstream stream, bool wait, Place place) {
    return driver_call([&] {
        return api_call([&] {
            if (to % element) return cudaErrorInvalidValue;
            const std::size_t bytes = element * count;
            return fill({what, cudaMemcpyDefault, find_stream(stream), wait, place}, {memory(to), bytes},
                        static_cast<int>(value), {bytes, 1}, element);
        });
    });
}

}  // namespace

CUresult cuInit(unsigned int flags) {
    return answer(flags == 0);
}

CUresult cuDriverGetVersion(int* version) {
    return driver_call([&] { return cudaDriverGetVersion(version); });
}

CUresult cuGetErrorName(CUresult error, const char** name) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define KIT_CPU_NAME(code, number) \
    case code:                     \
        *name = #code;             \
        return CUDA_SUCCESS;
        KIT_CPU_DRIVER_ERRORS(KIT_CPU_NAME)
#undef KIT_CPU_NAME
    }
    *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    const char* name = nullptr;
    if (!text) return CUDA_ERROR_INVALID_VALUE;
    *text = nullptr;
    if (const CUresult unknown = cuGetErrorName(error, &name)) return unknown;
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return answer(ordinal == 0, CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDeviceGetCount(int* count) {
    return driver_call([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    return device_call(device, [&] {
        cudaDeviceProp properties;
        if (!name || length <= 0) return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
        std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
        return error;
    });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return device_call(device, [&] {
        cudaDeviceProp properties;
        if (!uuid) return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
        *uuid = properties.uuid;
        return error;
    });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return device_call(device, [&] {
        cudaDeviceProp properties;
        if (!bytes) return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
        *bytes = properties.totalGlobalMem;
        return error;
    });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return device_call(
        device, [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), 0); });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return device_call(device, [&] {
        if (!major || !minor) return cudaErrorInvalidValue;
        *major = kit::cpu::device().major;
        *minor = kit::cpu::device().minor;
        return cudaSuccess;
    });
}

CUresult cuDeviceCanAccessPeer(int* canAccess, CUdevice device, CUdevice peerDevice) {
    return driver_call([&] { return cudaDeviceCanAccessPeer(canAccess, device, peerDevice); });
}

CUresult cuDeviceGetPCIBusId(char* name, int length, CUdevice device) {
    return driver_call([&] { return cudaDeviceGetPCIBusId(name, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* name) {
    return driver_call([&] { return cudaDeviceGetByPCIBusId(device, name); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return device_call(device, [&] {
        if (!context) return cudaErrorInvalidValue;
        *context = &primary;
        return cudaSuccess;
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return answer(device == 0, CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return device_call(device, [] { return cudaDeviceReset(); });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) return CUDA_ERROR_INVALID_VALUE;
    primary.flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    *flags = primary.flags;
    *active = 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned int flags, CUdevice device) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    const std::lock_guard lock(api_mutex());
    *context = new CUctx_st{flags};
    created.insert(*context);
    current.push_back(*context);
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context) {
    const std::lock_guard lock(api_mutex());
    if (!created.erase(context)) return CUDA_ERROR_INVALID_CONTEXT;
    current.erase(std::remove(current.begin(), current.end(), context), current.end());
    delete context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    const std::lock_guard lock(api_mutex());
    if (!exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
    current.push_back(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    if (current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = current.back();
    current.pop_back();
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    const std::lock_guard lock(api_mutex());
    if (context && !exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty()) current.pop_back();
    if (context) current.push_back(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = current.empty() ? nullptr : current.back();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    if (current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
    const std::lock_guard lock(api_mutex());
    if (context && !exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020;  // what every driver of this API has said since CUDA 3.2
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
    return driver_call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
    return driver_call([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
    return fill_elements("cuMemsetD8", to, value, 1, count, nullptr, true, KIT_CALLER);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
    return fill_elements("cuMemsetD8Async", to, value, 1, count, stream, false, KIT_CALLER);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
    return fill_elements("cuMemsetD16", to, value, 2, count, nullptr, true, KIT_CALLER);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
    return fill_elements("cuMemsetD16Async", to, value, 2, count, stream, false, KIT_CALLER);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, std::size_t count) {
    return fill_elements("cuMemsetD32", to, value, 4, count, nullptr, true, KIT_CALLER);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, std::size_t count, CUstream stream) {
    return fill_elements("cuMemsetD32Async", to, value, 4, count, stream, false, KIT_CALLER);
}

// What is the runtime's function under another name.
#define KIT_CPU_FORWARD(name, parameters, ...)           \
    CUresult name parameters {                           \
        return driver_call([&] { return __VA_ARGS__; }); \
    }

KIT_CPU_FORWARD(cuCtxGetStreamPriorityRange, (int* least, int* greatest),
                cudaDeviceGetStreamPriorityRange(least, greatest))
KIT_CPU_FORWARD(cuCtxSynchronize, (), cudaDeviceSynchronize())
KIT_CPU_FORWARD(cuMemGetInfo, (std::size_t * free, std::size_t* total), cudaMemGetInfo(free, total))
KIT_CPU_FORWARD(cuMemAlloc, (CUdeviceptr * pointer, std::size_t bytes),
                bytes ? cudaMalloc(memory(pointer), bytes) : cudaErrorInvalidValue)
KIT_CPU_FORWARD(cuMemAllocManaged, (CUdeviceptr * pointer, std::size_t bytes, unsigned flags),
                cudaMallocManaged(memory(pointer), bytes, flags))
KIT_CPU_FORWARD(cuMemAllocAsync, (CUdeviceptr * pointer, std::size_t bytes, CUstream stream),
                cudaMallocAsync(memory(pointer), bytes, stream))
KIT_CPU_FORWARD(cuMemFree, (CUdeviceptr pointer), cudaFree(memory(pointer)))
KIT_CPU_FORWARD(cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream),
                cudaFreeAsync(memory(pointer), stream))
KIT_CPU_FORWARD(cuMemAllocHost, (void** pointer, std::size_t bytes), cudaMallocHost(pointer, bytes))
KIT_CPU_FORWARD(cuMemHostAlloc, (void** pointer, std::size_t bytes, unsigned flags),
                cudaHostAlloc(pointer, bytes, flags))
KIT_CPU_FORWARD(cuMemFreeHost, (void* pointer), cudaFreeHost(pointer))
KIT_CPU_FORWARD(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes),
                cudaMemcpy(memory(to), memory(from), bytes, cudaMemcpyDefault))
KIT_CPU_FORWARD(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream),
                cudaMemcpyAsync(memory(to), memory(from), bytes, cudaMemcpyDefault, stream))
KIT_CPU_FORWARD(cuMemcpyHtoD, (CUdeviceptr to, const void* from, std::size_t bytes),
                cudaMemcpy(memory(to), from, bytes, cudaMemcpyHostToDevice))
KIT_CPU_FORWARD(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream),
                cudaMemcpyAsync(memory(to), from, bytes, cudaMemcpyHostToDevice, stream))
KIT_CPU_FORWARD(cuMemcpyDtoH, (void* to, CUdeviceptr from, std::size_t bytes),
                cudaMemcpy(to, memory(from), bytes, cudaMemcpyDeviceToHost))
KIT_CPU_FORWARD(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream),
                cudaMemcpyAsync(to, memory(from), bytes, cudaMemcpyDeviceToHost, stream))
KIT_CPU_FORWARD(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes),
                cudaMemcpy(memory(to), memory(from), bytes, cudaMemcpyDeviceToDevice))
KIT_CPU_FORWARD(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream),
                cudaMemcpyAsync(memory(to), memory(from), bytes, cudaMemcpyDeviceToDevice, stream))
KIT_CPU_FORWARD(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
KIT_CPU_FORWARD(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
                cudaStreamCreateWithPriority(stream, flags, priority))
KIT_CPU_FORWARD(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
KIT_CPU_FORWARD(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
KIT_CPU_FORWARD(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
KIT_CPU_FORWARD(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
                cudaStreamWaitEvent(stream, event, flags))
KIT_CPU_FORWARD(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void* data),
                cudaLaunchHostFunc(stream, function, data))
KIT_CPU_FORWARD(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
KIT_CPU_FORWARD(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
KIT_CPU_FORWARD(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
KIT_CPU_FORWARD(cuEventQuery, (CUevent event), cudaEventQuery(event))
KIT_CPU_FORWARD(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
KIT_CPU_FORWARD(cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end),
                cudaEventElapsedTime(milliseconds, start, end))
