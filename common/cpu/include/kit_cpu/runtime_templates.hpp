// The C++ part of CUDA's runtime API: overloads and templates with typed pointers, variables and kernels.
// These functions are inlined, so the functions that they call return into the student's line.
#pragma once

#include <cuda_runtime_api.h>
#include <host_defines.h>

#include <kit_cpu/launch.hpp>
#include <type_traits>
#include <utility>

namespace kit::cpu {

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait);

/// Returns the address of a `__device__` or `__constant__` variable and records it as device memory.
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes);

/// Launches the kernel. `arguments` is an array with one pointer for each parameter.
template <class... Parameters, std::size_t... Index>
cudaError_t launch_with_pointers(void (*kernel)(Parameters...), void** arguments, Launch launch,
                                 std::index_sequence<Index...>) {
    launch.function = reinterpret_cast<const void*>(kernel);
    (void)arguments;  // unused if the kernel has no parameters
    return BoundKernel<Parameters...>{
        std::move(launch), kernel}(*static_cast<std::remove_reference_t<Parameters>*>(arguments[Index])...);
}

template <class... Parameters>
cudaError_t launch_with_pointers(void (*kernel)(Parameters...), void** arguments, Launch launch) {
    return launch_with_pointers(kernel, arguments, std::move(launch),
                                std::index_sequence_for<Parameters...>());
}

/// Returns a kernel that is passed to the API as an address: a function, a pointer to one, or an untyped
/// address.
template <class T>
KIT_CPU_WRAPPER const void* kernel_address(T* kernel) {
    if constexpr (std::is_function_v<T>)
        return reinterpret_cast<const void*>(kernel);
    else
        return kernel;
}

/// Returns the largest block size with maximum occupancy, and the grid size that fills the device.
cudaError_t best_block_size(int* min_grid, int* block, const void* kernel,
                            std::size_t (*shared)(int, const void*), const void* context, int limit,
                            unsigned flags);

/// Records the type of the elements after a successful allocation.
template <class T>
KIT_CPU_WRAPPER cudaError_t with_elements(T** pointer, cudaError_t error) {
    if (error == cudaSuccess) note_elements(reinterpret_cast<void* const*>(pointer), layout_behind<T>(0));
    return error;
}

}  // namespace kit::cpu

// Functions for memory.

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
    return ::kit::cpu::with_elements(pointer, ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                                            std::size_t height) {
    return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

KIT_CPU_WRAPPER cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(pointer, bytes, flags);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = 0) {
    return ::kit::cpu::with_elements(pointer,
                                     ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
    return ::kit::cpu::with_elements(pointer,
                                     ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                                              unsigned int flags = cudaMemAttachGlobal) {
    return ::kit::cpu::with_elements(pointer,
                                     ::cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
    return ::kit::cpu::with_elements(pointer,
                                     ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream));
}

KIT_CPU_WRAPPER cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                            cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                            cudaStream_t stream) {
    return ::kit::cpu::with_elements(
        pointer, ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                                    cudaStream_t stream) {
    return ::kit::cpu::with_elements(
        pointer, ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, std::size_t length = 0,
                                                     unsigned int flags = cudaMemAttachSingle) {
    return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

// Functions for `__device__` and `__constant__` variables. The type of the variable has its size, so copies
// are checked.
template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                                               std::size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return kit::cpu::copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, nullptr, true);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                                    std::size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                    cudaStream_t stream = nullptr) {
    return kit::cpu::copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, stream, false);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                                 std::size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return kit::cpu::copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, nullptr, true);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                                      std::size_t offset = 0,
                                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                      cudaStream_t stream = nullptr) {
    return kit::cpu::copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, stream, false);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return kit::cpu::symbol_address(pointer, &symbol, sizeof(T));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
    return ::cudaGetSymbolSize(bytes, static_cast<const void*>(&symbol));
}

// Functions for events and graphs.

KIT_CPU_WRAPPER cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/// The overload of CUDA 11. This overload does not return the node that cannot be instantiated.
KIT_CPU_WRAPPER cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 cudaGraphNode_t* errorNode, char* log,
                                                 std::size_t logBytes) {
    (void)errorNode, (void)log, (void)logBytes;
    return ::cudaGraphInstantiate(exec, graph, 0);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                           const cudaGraphNode_t* dependencies,
                                                           std::size_t count, const T& symbol,
                                                           const void* from, std::size_t bytes,
                                                           std::size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count,
                                            static_cast<const void*>(&symbol), from, bytes, offset, kind);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                             const cudaGraphNode_t* dependencies,
                                                             std::size_t count, void* to, const T& symbol,
                                                             std::size_t bytes, std::size_t offset,
                                                             cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to,
                                              static_cast<const void*>(&symbol), bytes, offset, kind);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                                 const void* from, std::size_t bytes,
                                                                 std::size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, static_cast<const void*>(&symbol), from, bytes,
                                                  offset, kind);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                                   const T& symbol, std::size_t bytes,
                                                                   std::size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, static_cast<const void*>(&symbol), bytes,
                                                    offset, kind);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                                     cudaGraphNode_t node, const T& symbol,
                                                                     const void* from, std::size_t bytes,
                                                                     std::size_t offset,
                                                                     cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, static_cast<const void*>(&symbol), from,
                                                      bytes, offset, kind);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                                       cudaGraphNode_t node, void* to,
                                                                       const T& symbol, std::size_t bytes,
                                                                       std::size_t offset,
                                                                       cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, to, static_cast<const void*>(&symbol),
                                                        bytes, offset, kind);
}

// Functions for kernels.

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return ::cudaFuncGetAttributes(attributes, kit::cpu::kernel_address(kernel));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute(kit::cpu::kernel_address(kernel), attribute, value);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig(kit::cpu::kernel_address(kernel), config);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig(kit::cpu::kernel_address(kernel), config);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaFuncGetName(const char** name, T* kernel) {
    return ::cudaFuncGetName(name, kit::cpu::kernel_address(kernel));
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                          int blockSize,
                                                                          std::size_t dynamicShared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kit::cpu::kernel_address(kernel),
                                                           blockSize, dynamicShared);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                                   int blockSize,
                                                                                   std::size_t dynamicShared,
                                                                                   unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kit::cpu::kernel_address(kernel),
                                                                    blockSize, dynamicShared, flags);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicShared, T* kernel,
                                                                      int blocks, int blockSize) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicShared, kit::cpu::kernel_address(kernel),
                                                       blocks, blockSize);
}

template <class Function, class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T kernel, Function sharedOfBlockSize, int blockSizeLimit = 0,
    unsigned int flags = 0) {
    auto shared = [](int threads, const void* context) -> std::size_t {
        return (*static_cast<const Function*>(context))(threads);
    };
    return kit::cpu::best_block_size(minGridSize, blockSize, kit::cpu::kernel_address(kernel), shared,
                                     &sharedOfBlockSize, blockSizeLimit, flags);
}

template <class Function, class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                           T kernel,
                                                                           Function sharedOfBlockSize,
                                                                           int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, kernel, sharedOfBlockSize, blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                                        T kernel,
                                                                        std::size_t dynamicShared = 0,
                                                                        int blockSizeLimit = 0,
                                                                        unsigned int flags = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, kernel, [dynamicShared](int) { return dynamicShared; }, blockSizeLimit,
        flags);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T kernel,
                                                               std::size_t dynamicShared = 0,
                                                               int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, kernel, dynamicShared,
                                                       blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                                           const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, kit::cpu::kernel_address(kernel), config);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel,
                                                                 const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxPotentialClusterSize(size, kit::cpu::kernel_address(kernel), config);
}

/// The overload of CUDA versions before 12. Both pointers can be null.
KIT_CPU_WRAPPER cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                cudaGraphNode_t* errorNode,
                                                cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t status = ::cudaGraphExecUpdate(exec, graph, &info);
    if (errorNode) *errorNode = info.errorNode;
    if (result) *result = info.result;
    return status;
}
