// CUDA's runtime API on the CPU executor: declarations under CUDA's names, and its C++ templates.
// The functions mean what NVIDIA's "CUDA Runtime API" manual says. Some take the caller's place as a last,
// defaulted argument, so that a report can name the line.
#pragma once

#include <driver_types.h>
#include <kit_cpu/graph_api.h>

#include <cstddef>
#include <kit_cpu/launch.hpp>
#include <kit_cpu/thread.hpp>
#include <type_traits>
#include <utility>

#define CUDART_VERSION 13000

// Errors
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// Device
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device);
cudaError_t cudaDeviceCanAccessPeer(int* canAccess, int device, int peerDevice);
cudaError_t cudaDeviceSynchronize(kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);

// Memory
cudaError_t cudaMalloc(void** pointer, std::size_t bytes, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaFree(void* pointer, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags,
                          kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaFreeHost(void* pointer, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal,
                              kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream = nullptr,
                            kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr,
                              kit::cpu::Place place = KIT_CPU_HERE);

// Stream-ordered memory
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream,
                            kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep);

// Streams and events
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaStreamQuery(cudaStream_t stream, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags = cudaEventWaitDefault,
                                kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t length = 0,
                                     unsigned int flags = cudaMemAttachSingle);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData,
                               kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr,
                            kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned int flags = cudaEventRecordDefault,
                                     kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaEventQuery(cudaEvent_t event, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaEventSynchronize(cudaEvent_t event, kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Kernels, by address. The templates below take the kernel itself.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
cudaError_t cudaFuncGetName(const char** name, const void* kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int blockSize,
                                                          std::size_t dynamicShared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int blockSize, std::size_t dynamicShared,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicShared, const void* kernel,
                                                      int blocks, int blockSize);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared = 0, cudaStream_t stream = nullptr,
                             kit::cpu::Place place = KIT_CPU_HERE);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared = 0, cudaStream_t stream = nullptr,
                                        kit::cpu::Place place = KIT_CPU_HERE);

namespace kit::cpu {

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                           Place place);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                             Place place);

/// The address of a `__device__` or `__constant__` variable, noted as device memory.
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes);

/// A launch whose arguments lie where `arguments` points, one pointer per parameter.
template <class... Parameters, std::size_t... Index>
cudaError_t launch_with_pointers(void (*kernel)(Parameters...), void** arguments, Launch launch,
                                 std::index_sequence<Index...>) {
    launch.function = reinterpret_cast<const void*>(kernel);
    (void)arguments;  // unused when the kernel has no parameters
    return BoundKernel<Parameters...>{
        std::move(launch), kernel}(*static_cast<std::remove_reference_t<Parameters>*>(arguments[Index])...);
}

/// Largest block for which the most threads are resident, and the grid that fills the device.
cudaError_t best_block_size(int* min_grid, int* block, const void* kernel,
                            std::size_t (*shared)(int, const void*), const void* context, int limit);

}  // namespace kit::cpu

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes, kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes, place);
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height, place);
}

inline cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags,
                                  kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaHostAlloc(pointer, bytes, flags, place);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = 0,
                           kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags, place);
}

template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags,
                          kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags, place);
}

template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal,
                              kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags, place);
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream,
                            kit::cpu::Place place = KIT_CPU_HERE) {
    return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream, place);
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

// A `__device__` or `__constant__` variable is named by itself; its size is known here, so copies are
// checked.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, nullptr, true, place);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                    kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, stream, false, place);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, nullptr, true, place);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                      kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, stream, false, place);
}

template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return kit::cpu::symbol_address(pointer, &symbol, sizeof(T));
}

template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}

template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}

template <class... P>
cudaError_t cudaFuncGetName(const char** name, void (*kernel)(P...)) {
    return cudaFuncGetName(name, reinterpret_cast<const void*>(kernel));
}

template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int blockSize,
                                                          std::size_t dynamicShared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                                         blockSize, dynamicShared);
}

template <class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicShared, void (*kernel)(P...),
                                                      int blocks, int blockSize) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(dynamicShared, reinterpret_cast<const void*>(kernel),
                                                     blocks, blockSize);
}

template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(P...),
                                                                   int blockSize, std::size_t dynamicShared,
                                                                   unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, reinterpret_cast<const void*>(kernel), blockSize, dynamicShared, flags);
}

template <class Function, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                           void (*kernel)(P...), Function sharedOfBlockSize,
                                                           int blockSizeLimit = 0) {
    auto shared = [](int threads, const void* context) -> std::size_t {
        return (*static_cast<const Function*>(context))(threads);
    };
    return kit::cpu::best_block_size(minGridSize, blockSize, reinterpret_cast<const void*>(kernel), shared,
                                     &sharedOfBlockSize, blockSizeLimit);
}

template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, void (*kernel)(P...),
                                               std::size_t dynamicShared = 0, int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        minGridSize, blockSize, kernel, [dynamicShared](int) { return dynamicShared; }, blockSizeLimit);
}

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared = 0, cudaStream_t stream = nullptr,
                             kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::launch_with_pointers(kernel, arguments,
                                          {{}, nullptr, grid, block, shared, stream, false, place, {}},
                                          std::index_sequence_for<P...>());
}

template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared = 0, cudaStream_t stream = nullptr,
                                        kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::launch_with_pointers(kernel, arguments,
                                          {{}, nullptr, grid, block, shared, stream, true, place, {}},
                                          std::index_sequence_for<P...>());
}

#include <kit_cpu/launch_api.hpp>
