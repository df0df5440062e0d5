// The driver API beside the runtime: the device, the context, memory, streams and events are the same ones.
#include <cuda.h>

#include "conformance.cuh"

#ifndef __cuda_cuda_h__
#error "cuda.h is recognised by this name"
#endif

#define CHECK_DRIVER(call, want) CHECK_EQUAL(static_cast<int>(call), static_cast<int>(want))

__global__ void triple(int* data) {
    data[threadIdx.x] *= 3;
}

CASE("the device") {
    CHECK_DRIVER(cuInit(0), CUDA_SUCCESS);
    int count = 0, version = 0, runtime_count = 0, warp = 0, major = 0;
    CHECK_DRIVER(cuDriverGetVersion(&version), CUDA_SUCCESS);
    CHECK(version >= CUDA_VERSION);
    CHECK_DRIVER(cuDeviceGetCount(&count), CUDA_SUCCESS);
    CHECK_CUDA(cudaGetDeviceCount(&runtime_count), cudaSuccess);
    CHECK_EQUAL(count, runtime_count);
    CUdevice device = -1;
    CHECK_DRIVER(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    CHECK_DRIVER(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
    CHECK_DRIVER(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    cudaDeviceProp properties;
    REQUIRE_CUDA(cudaGetDeviceProperties(&properties, 0));
    char name[256] = "";
    CHECK_DRIVER(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
    CHECK_EQUAL(std::string(name), std::string(properties.name));
    CHECK_DRIVER(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
    CHECK_EQUAL(warp, 32);
    CHECK_DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                 CUDA_SUCCESS);
    CHECK_EQUAL(major, properties.major);
    std::size_t bytes = 0;
    CHECK_DRIVER(cuDeviceTotalMem(&bytes, device), CUDA_SUCCESS);
    CHECK_EQUAL(bytes, properties.totalGlobalMem);
}

CASE("names and texts of errors") {
    const char *name = nullptr, *text = nullptr;
    CHECK_DRIVER(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &name), CUDA_SUCCESS);
    CHECK_EQUAL(std::string(name), std::string("CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK_DRIVER(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS);
    CHECK_EQUAL(std::string(text), std::string("invalid argument"));
    CHECK_DRIVER(cuGetErrorName(static_cast<CUresult>(12345), &name), CUDA_ERROR_INVALID_VALUE);
    CHECK(name == nullptr);
}

CASE("the runtime's context is the device's primary one") {
    CHECK_DRIVER(cuInit(0), CUDA_SUCCESS);
    CHECK_CUDA(cudaFree(nullptr), cudaSuccess);
    CUcontext primary = nullptr, now = nullptr;
    CUdevice device = -1;
    CHECK_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
    CHECK_DRIVER(cuCtxGetCurrent(&now), CUDA_SUCCESS);
    CHECK(now == primary);
    CHECK_DRIVER(cuCtxGetDevice(&device), CUDA_SUCCESS);
    CHECK_EQUAL(device, 0);
    CHECK_DRIVER(cuCtxPushCurrent(primary), CUDA_SUCCESS);
    CHECK_DRIVER(cuCtxPopCurrent(&now), CUDA_SUCCESS);
    CHECK(now == primary);
    CHECK_DRIVER(cuCtxSynchronize(), CUDA_SUCCESS);
    CHECK_DRIVER(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
}

CASE("memory and streams go to and fro between driver and runtime") {
    CHECK_CUDA(cudaFree(nullptr), cudaSuccess);
    CUdeviceptr memory = 0;
    CUstream stream;
    CUevent event;
    CHECK_DRIVER(cuMemAlloc(&memory, 4 * sizeof(int)), CUDA_SUCCESS);
    CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    CHECK_DRIVER(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
    CHECK_DRIVER(cuMemsetD32Async(memory, 5, 4, stream), CUDA_SUCCESS);
    triple<<<1, 4, 0, stream>>>(reinterpret_cast<int*>(memory));
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_DRIVER(cuEventRecord(event, stream), CUDA_SUCCESS);
    CHECK_DRIVER(cuEventSynchronize(event), CUDA_SUCCESS);
    int values[4] = {};
    CHECK_DRIVER(cuMemcpyDtoH(values, memory, sizeof values), CUDA_SUCCESS);
    CHECK_EQUAL(values[3], 15);
    values[0] = 7;
    CHECK_DRIVER(cuMemcpyHtoD(memory, values, sizeof values), CUDA_SUCCESS);
    CHECK_CUDA(cudaMemcpy(values + 1, reinterpret_cast<int*>(memory), sizeof(int), cudaMemcpyDeviceToHost),
               cudaSuccess);
    CHECK_EQUAL(values[1], 7);
    CHECK_DRIVER(cuMemFree(memory), CUDA_SUCCESS);
    CHECK_DRIVER(cuEventDestroy(event), CUDA_SUCCESS);
    CHECK_DRIVER(cuStreamDestroy(stream), CUDA_SUCCESS);
}

CASE_MISUSE("an error of the driver is not the runtime's last error") {
    CHECK_CUDA(cudaFree(nullptr), cudaSuccess);
    CUdeviceptr memory = 0;
    CHECK_DRIVER(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

CONFORMANCE_MAIN("driver_api")
