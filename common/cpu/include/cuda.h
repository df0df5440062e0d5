// The driver API, which the CPU backend does not support: the executor runs kernels from the program's own
// source, and loads neither PTX nor cubins. Many programs include this header without using the API, so the
// header exists. A program that uses a name of the API does not compile, and the error message explains why.
// CUDA's include guard __cuda_cuda_h__ is not defined, because programs test it before they use the API.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 13000

#define KIT_CPU_NO_DRIVER       \
    __attribute__((unavailable( \
        "the driver API is not supported by the CPU backend: use the runtime API of cuda_runtime.h")))

/// Accepts every call of a driver function. The attribute of the function makes the call an error, so there
/// is one error message per call.
struct kit_cpu_no_driver {
    template <class... Arguments>
    int operator()(Arguments...) const;
};

KIT_CPU_NO_DRIVER typedef int CUresult, CUdevice, CUdeviceptr, CUdevice_attribute, CUcontext, CUmodule,
    CUfunction, CUlibrary, CUkernel, CUlinkState, CUstream, CUevent, CUarray, CUtexObject, CUgraph,
    CUmemoryPool, CUtensorMap, CUmemGenericAllocationHandle, CUmemAllocationProp, CUlimit, CUuuid;

KIT_CPU_NO_DRIVER extern const int CUDA_SUCCESS;
KIT_CPU_NO_DRIVER extern const kit_cpu_no_driver cuInit, cuDriverGetVersion, cuGetErrorName, cuGetErrorString,
    cuDeviceGet, cuDeviceGetCount, cuDeviceGetName, cuDeviceGetUuid, cuDeviceTotalMem, cuDeviceGetAttribute,
    cuDeviceComputeCapability, cuDeviceCanAccessPeer, cuDeviceGetPCIBusId, cuDeviceGetByPCIBusId,
    cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxReset, cuDevicePrimaryCtxSetFlags,
    cuDevicePrimaryCtxGetState, cuCtxCreate, cuCtxDestroy, cuCtxPushCurrent, cuCtxPopCurrent, cuCtxSetCurrent,
    cuCtxGetCurrent, cuCtxGetDevice, cuCtxGetApiVersion, cuCtxGetLimit, cuCtxSetLimit,
    cuCtxGetStreamPriorityRange, cuCtxSynchronize, cuMemGetInfo, cuMemAlloc, cuMemAllocManaged,
    cuMemAllocAsync, cuMemFree, cuMemFreeAsync, cuMemAllocHost, cuMemHostAlloc, cuMemFreeHost, cuMemcpy,
    cuMemcpyAsync, cuMemcpyHtoD, cuMemcpyHtoDAsync, cuMemcpyDtoH, cuMemcpyDtoHAsync, cuMemcpyDtoD,
    cuMemcpyDtoDAsync, cuMemsetD8, cuMemsetD8Async, cuMemsetD16, cuMemsetD16Async, cuMemsetD32,
    cuMemsetD32Async, cuStreamCreate, cuStreamCreateWithPriority, cuStreamDestroy, cuStreamSynchronize,
    cuStreamQuery, cuStreamWaitEvent, cuLaunchHostFunc, cuEventCreate, cuEventDestroy, cuEventRecord,
    cuEventQuery, cuEventSynchronize, cuEventElapsedTime, cuModuleLoad, cuModuleLoadData, cuModuleLoadDataEx,
    cuModuleLoadFatBinary, cuModuleUnload, cuModuleGetFunction, cuModuleGetGlobal, cuLibraryLoadData,
    cuLibraryLoadFromFile, cuLibraryGetKernel, cuKernelGetFunction, cuLinkCreate, cuLinkAddData,
    cuLinkAddFile, cuLinkComplete, cuLinkDestroy, cuLaunchKernel, cuLaunchKernelEx, cuLaunchCooperativeKernel,
    cuFuncGetAttribute, cuFuncSetAttribute, cuFuncSetCacheConfig, cuOccupancyMaxActiveBlocksPerMultiprocessor,
    cuOccupancyMaxPotentialBlockSize, cuMemAddressReserve, cuMemAddressFree, cuMemCreate, cuMemRelease,
    cuMemMap, cuMemUnmap, cuMemSetAccess, cuMemGetAllocationGranularity, cuMemExportToShareableHandle,
    cuMemImportFromShareableHandle, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col, cuGetProcAddress,
    cuPointerGetAttribute, cuMemHostRegister, cuCtxEnablePeerAccess;
