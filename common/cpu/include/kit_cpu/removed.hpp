// Functions that CUDA has removed. A call does not compile, and the error message names the successor. nvcc
// 13 also refuses these calls. The removed members of cudaDeviceProp are in driver_types.h.
//
// The functions are templates, so a program can declare functions with the same names.
#pragma once

#include <driver_types.h>

#define KIT_CPU_REMOVED(sentence) __attribute__((unavailable(sentence)))

#define KIT_CPU_NO_SHUFFLE(name) \
    template <class T, class... Arguments>                                                             \
    KIT_CPU_REMOVED("CUDA 9 replaced it: name the lanes that take part, " #name                          \
                    "_sync(0xffffffff, value, ...) for a whole warp")                                  \
    T name(T value, Arguments... arguments)
KIT_CPU_NO_SHUFFLE(__shfl);
KIT_CPU_NO_SHUFFLE(__shfl_up);
KIT_CPU_NO_SHUFFLE(__shfl_down);
KIT_CPU_NO_SHUFFLE(__shfl_xor);
#undef KIT_CPU_NO_SHUFFLE

#define KIT_CPU_NO_VOTE(name)                                                   \
    template <class T>                                                          \
    KIT_CPU_REMOVED("CUDA 9 replaced it: name the lanes that take part, " #name \
                    "_sync(0xffffffff, predicate) for a whole warp")            \
    unsigned                                                                    \
    name(T predicate)
KIT_CPU_NO_VOTE(__any);
KIT_CPU_NO_VOTE(__all);
KIT_CPU_NO_VOTE(__ballot);
#undef KIT_CPU_NO_VOTE

/// Declares a removed function with any parameters.
#define KIT_CPU_NO_CALL(name, sentence) \
    template <class... Arguments>       \
    KIT_CPU_REMOVED(sentence)           \
    cudaError_t name(Arguments... arguments)

KIT_CPU_NO_CALL(cudaThreadSynchronize, "CUDA 13 removed this name: call cudaDeviceSynchronize()");
KIT_CPU_NO_CALL(cudaThreadExit, "CUDA 13 removed this name: call cudaDeviceReset()");
KIT_CPU_NO_CALL(cudaThreadGetLimit, "CUDA 13 removed this name: call cudaDeviceGetLimit()");
KIT_CPU_NO_CALL(cudaThreadSetLimit, "CUDA 13 removed this name: call cudaDeviceSetLimit()");
KIT_CPU_NO_CALL(cudaThreadGetCacheConfig, "CUDA 13 removed this name: call cudaDeviceGetCacheConfig()");
KIT_CPU_NO_CALL(cudaThreadSetCacheConfig, "CUDA 13 removed this name: call cudaDeviceSetCacheConfig()");
KIT_CPU_NO_CALL(cudaLaunchCooperativeKernelMultiDevice,
                "CUDA 13 removed this function: call cudaLaunchCooperativeKernel() once for each device");
KIT_CPU_NO_CALL(cudaBindTexture,
                "CUDA 12 removed texture references: create a texture object with "
                "cudaCreateTextureObject(), or read global memory with __ldg()");
KIT_CPU_NO_CALL(cudaBindTexture2D,
                "CUDA 12 removed texture references: create a texture object with "
                "cudaCreateTextureObject(), or read global memory with __ldg()");
KIT_CPU_NO_CALL(cudaBindTextureToArray,
                "CUDA 12 removed texture references: create a texture object with "
                "cudaCreateTextureObject()");
KIT_CPU_NO_CALL(cudaUnbindTexture,
                "CUDA 12 removed texture references: create a texture object with "
                "cudaCreateTextureObject(), or read global memory with __ldg()");
KIT_CPU_NO_CALL(cudaBindSurfaceToArray,
                "CUDA 12 removed surface references: create a surface object with "
                "cudaCreateSurfaceObject()");
#undef KIT_CPU_NO_CALL

// In CUDA 13, these functions take the location as a cudaMemLocation.
KIT_CPU_REMOVED(
    "in CUDA 13 the place is a cudaMemLocation: "
    "cudaMemPrefetchAsync(pointer, bytes, {cudaMemLocationTypeDevice, device}, 0, stream)")
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
KIT_CPU_REMOVED(
    "in CUDA 13 the place is a cudaMemLocation: "
    "cudaMemAdvise(pointer, bytes, advice, {cudaMemLocationTypeDevice, device})")
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);
