// The functions of CUDA 13's runtime that the CPU executor does not support. A program that contains calls of
// these functions compiles. A call returns cudaErrorNotSupported and reports an error
// (src/api/not_offered.cpp). For rarely used functions, a call does not compile, and the compiler's message
// says why.
#pragma once

#include <driver_types.h>

#include <cstddef>

extern "C" {

// Functions for CUDA arrays.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned int levels, unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t from,
                                       unsigned int level);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                   size_t fromX, size_t fromY, size_t bytes,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);

// Functions for textures and surfaces.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* format,
                                                 int device);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface);

// Functions for other processes.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);

// Functions for memory pools other than the default one.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location);
cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer);
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData* data);

// Functions that return facts which the executor does not record.
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status = nullptr);
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status = nullptr);

// Functions for graphs.
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1,
                                      unsigned int flags = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1);

}  // extern "C"

// Functions whose calls do not compile.

#define KIT_CPU_NOT_OFFERED(what) __attribute__((unavailable(what " not supported by the CPU backend")))

/// Declares a function with any parameters whose calls do not compile.
#define KIT_CPU_NO_FUNCTION(name, what) \
    template <class... Arguments>       \
    KIT_CPU_NOT_OFFERED(what)           \
    cudaError_t name(Arguments...)

/// Declares a function of device code whose calls do not compile. The function returns a T or, if the result
/// is an argument, nothing.
#define KIT_CPU_NO_FETCH(name, what)       \
    template <class T, class... Arguments> \
    KIT_CPU_NOT_OFFERED(what)              \
    T name(Arguments...);                  \
    template <class T, class... Arguments> \
    KIT_CPU_NOT_OFFERED(what)              \
    void name(T*, Arguments...)

#define KIT_CPU_NO_TEXTURE(name) KIT_CPU_NO_FETCH(name, #name " is")
KIT_CPU_NO_TEXTURE(tex1D);
KIT_CPU_NO_TEXTURE(tex1DGrad);
KIT_CPU_NO_TEXTURE(tex1DLayered);
KIT_CPU_NO_TEXTURE(tex1DLod);
KIT_CPU_NO_TEXTURE(tex1Dfetch);
KIT_CPU_NO_TEXTURE(tex2D);
KIT_CPU_NO_TEXTURE(tex2DGrad);
KIT_CPU_NO_TEXTURE(tex2DLayered);
KIT_CPU_NO_TEXTURE(tex2DLod);
KIT_CPU_NO_TEXTURE(tex2Dgather);
KIT_CPU_NO_TEXTURE(tex3D);
KIT_CPU_NO_TEXTURE(tex3DGrad);
KIT_CPU_NO_TEXTURE(tex3DLod);
KIT_CPU_NO_TEXTURE(texCubemap);
KIT_CPU_NO_TEXTURE(texCubemapLod);
KIT_CPU_NO_TEXTURE(surf1Dread);
KIT_CPU_NO_TEXTURE(surf2Dread);
KIT_CPU_NO_TEXTURE(surf2DLayeredread);
KIT_CPU_NO_TEXTURE(surf3Dread);
KIT_CPU_NO_FUNCTION(surf1Dwrite, "surf1Dwrite is");
KIT_CPU_NO_FUNCTION(surf2Dwrite, "surf2Dwrite is");
KIT_CPU_NO_FUNCTION(surf2DLayeredwrite, "surf2DLayeredwrite is");
KIT_CPU_NO_FUNCTION(surf3Dwrite, "surf3Dwrite is");

#define KIT_CPU_NO_TYPE(name, what) struct KIT_CPU_NOT_OFFERED(what) name
#define KIT_CPU_NO_HANDLE(name, what) typedef struct kit_cpu_no_##name* name KIT_CPU_NOT_OFFERED(what)

KIT_CPU_NO_HANDLE(cudaExternalMemory_t, "external memory is");
KIT_CPU_NO_HANDLE(cudaExternalSemaphore_t, "external semaphores are");
KIT_CPU_NO_HANDLE(cudaGraphicsResource_t, "graphics resources are");
KIT_CPU_NO_HANDLE(cudaLibrary_t, "libraries of kernels are");
KIT_CPU_NO_HANDLE(cudaKernel_t, "kernels of libraries are");
KIT_CPU_NO_HANDLE(cudaFunction_t, "functions of the driver's API are");
KIT_CPU_NO_TYPE(cudaExternalMemoryHandleDesc, "external memory is");
KIT_CPU_NO_TYPE(cudaExternalMemoryBufferDesc, "external memory is");
KIT_CPU_NO_TYPE(cudaExternalSemaphoreHandleDesc, "external semaphores are");
KIT_CPU_NO_TYPE(cudaExternalSemaphoreSignalParams, "external semaphores are");
KIT_CPU_NO_TYPE(cudaExternalSemaphoreWaitParams, "external semaphores are");
KIT_CPU_NO_TYPE(cudaGraphicsResource, "graphics resources are");
KIT_CPU_NO_TYPE(cudaMemcpy3DPeerParms, "copies between devices in three dimensions are");
KIT_CPU_NO_TYPE(cudaMemcpyAttributes, "copies in batches are");
KIT_CPU_NO_TYPE(cudaMemcpy3DBatchOp, "copies in batches are");
KIT_CPU_NO_TYPE(cudaArraySparseProperties, "sparse arrays are");

#define KIT_CPU_NO_EXTERNAL(name) KIT_CPU_NO_FUNCTION(name, #name ": external memory and semaphores are")
KIT_CPU_NO_EXTERNAL(cudaImportExternalMemory);
KIT_CPU_NO_EXTERNAL(cudaDestroyExternalMemory);
KIT_CPU_NO_EXTERNAL(cudaExternalMemoryGetMappedBuffer);
KIT_CPU_NO_EXTERNAL(cudaExternalMemoryGetMappedMipmappedArray);
KIT_CPU_NO_EXTERNAL(cudaImportExternalSemaphore);
KIT_CPU_NO_EXTERNAL(cudaDestroyExternalSemaphore);
KIT_CPU_NO_EXTERNAL(cudaSignalExternalSemaphoresAsync);
KIT_CPU_NO_EXTERNAL(cudaWaitExternalSemaphoresAsync);
KIT_CPU_NO_EXTERNAL(cudaGraphAddExternalSemaphoresSignalNode);
KIT_CPU_NO_EXTERNAL(cudaGraphAddExternalSemaphoresWaitNode);
KIT_CPU_NO_EXTERNAL(cudaGraphExternalSemaphoresSignalNodeGetParams);
KIT_CPU_NO_EXTERNAL(cudaGraphExternalSemaphoresSignalNodeSetParams);
KIT_CPU_NO_EXTERNAL(cudaGraphExternalSemaphoresWaitNodeGetParams);
KIT_CPU_NO_EXTERNAL(cudaGraphExternalSemaphoresWaitNodeSetParams);
KIT_CPU_NO_EXTERNAL(cudaGraphExecExternalSemaphoresSignalNodeSetParams);
KIT_CPU_NO_EXTERNAL(cudaGraphExecExternalSemaphoresWaitNodeSetParams);

#define KIT_CPU_NO_GRAPHICS(name) KIT_CPU_NO_FUNCTION(name, #name ": graphics resources are")
KIT_CPU_NO_GRAPHICS(cudaGraphicsMapResources);
KIT_CPU_NO_GRAPHICS(cudaGraphicsUnmapResources);
KIT_CPU_NO_GRAPHICS(cudaGraphicsUnregisterResource);
KIT_CPU_NO_GRAPHICS(cudaGraphicsResourceGetMappedPointer);
KIT_CPU_NO_GRAPHICS(cudaGraphicsResourceGetMappedMipmappedArray);
KIT_CPU_NO_GRAPHICS(cudaGraphicsResourceSetMapFlags);
KIT_CPU_NO_GRAPHICS(cudaGraphicsSubResourceGetMappedArray);

#define KIT_CPU_NO_LIBRARY(name) KIT_CPU_NO_FUNCTION(name, #name ": libraries of kernels are")
KIT_CPU_NO_LIBRARY(cudaLibraryLoadData);
KIT_CPU_NO_LIBRARY(cudaLibraryLoadFromFile);
KIT_CPU_NO_LIBRARY(cudaLibraryUnload);
KIT_CPU_NO_LIBRARY(cudaLibraryGetKernel);
KIT_CPU_NO_LIBRARY(cudaLibraryGetKernelCount);
KIT_CPU_NO_LIBRARY(cudaLibraryEnumerateKernels);
KIT_CPU_NO_LIBRARY(cudaLibraryGetGlobal);
KIT_CPU_NO_LIBRARY(cudaLibraryGetManaged);
KIT_CPU_NO_LIBRARY(cudaLibraryGetUnifiedFunction);
KIT_CPU_NO_LIBRARY(cudaKernelSetAttributeForDevice);
KIT_CPU_NO_LIBRARY(cudaGetKernel);
KIT_CPU_NO_LIBRARY(cudaGetFuncBySymbol);

#define KIT_CPU_NO_OTHER(name) KIT_CPU_NO_FUNCTION(name, #name " is")
KIT_CPU_NO_OTHER(cudaArrayGetMemoryRequirements);
KIT_CPU_NO_OTHER(cudaArrayGetPlane);
KIT_CPU_NO_OTHER(cudaArrayGetSparseProperties);
KIT_CPU_NO_OTHER(cudaMipmappedArrayGetMemoryRequirements);
KIT_CPU_NO_OTHER(cudaMipmappedArrayGetSparseProperties);
KIT_CPU_NO_OTHER(cudaMemcpy3DPeer);
KIT_CPU_NO_OTHER(cudaMemcpy3DPeerAsync);
KIT_CPU_NO_OTHER(cudaMemcpyBatchAsync);
KIT_CPU_NO_OTHER(cudaMemcpy3DBatchAsync);
KIT_CPU_NO_OTHER(cudaMemPrefetchBatchAsync);
KIT_CPU_NO_OTHER(cudaMemDiscardBatchAsync);
KIT_CPU_NO_OTHER(cudaMemDiscardAndPrefetchBatchAsync);
KIT_CPU_NO_OTHER(cudaMemGetDefaultMemPool);
KIT_CPU_NO_OTHER(cudaMemGetMemPool);
KIT_CPU_NO_OTHER(cudaMemSetMemPool);
KIT_CPU_NO_OTHER(cudaDeviceFlushGPUDirectRDMAWrites);
KIT_CPU_NO_OTHER(cudaDeviceGetHostAtomicCapabilities);
KIT_CPU_NO_OTHER(cudaDeviceGetP2PAtomicCapabilities);
KIT_CPU_NO_OTHER(cudaDeviceGetNvSciSyncAttributes);
KIT_CPU_NO_OTHER(cudaDeviceRegisterAsyncNotification);
KIT_CPU_NO_OTHER(cudaDeviceUnregisterAsyncNotification);
KIT_CPU_NO_OTHER(cudaGetExportTable);
KIT_CPU_NO_OTHER(cudaLogsCurrent);
KIT_CPU_NO_OTHER(cudaLogsDumpToFile);
KIT_CPU_NO_OTHER(cudaLogsDumpToMemory);
KIT_CPU_NO_OTHER(cudaLogsRegisterCallback);
KIT_CPU_NO_OTHER(cudaLogsUnregisterCallback);
