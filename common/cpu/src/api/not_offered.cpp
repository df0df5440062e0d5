// The functions of the CUDA 13 runtime that the CPU executor does not support. A call of such a function is
// reported, once per line, and returns cudaErrorNotSupported. Programs see the declarations in
// kit_cpu/not_offered.h. The definitions here have no parameters, because a function that reads none of its
// arguments can be called with any arguments.
#include <driver_types.h>

#include "api.hpp"
#include "run/worker.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

cudaError_t refuse_not_offered(facts::Rule rule, Place place) {
    return api_call([&] {
        add_finding(finding(rule, place));
        return cudaErrorNotSupported;
    });
}

cudaError_t refuse_not_offered(const char* what, Place place) {
    return api_call([&] {
        add_finding(finding(facts::Rule::not_offered, place).with("function", what));
        return cudaErrorNotSupported;
    });
}

// Ends kernels that call functions of the runtime which exist only for the host.

void refuse_in_kernel() {
    stop_kernel(cudaErrorNotSupported, Finding(facts::Rule::host_function_in_kernel));
}

void refuse_to_wait(const char* what, Place place) {
    stop_kernel(cudaErrorNotSupported,
                finding(facts::Rule::waits_for_children, place).by(running_thread()).with("function", what));
}

}  // namespace kit::cpu

#define KIT_NOT_OFFERED(name)                                   \
    cudaError_t kit_cpu_refuses_##name() __asm__(#name);        \
    cudaError_t kit_cpu_refuses_##name() {                      \
        return kit::cpu::refuse_not_offered(#name, KIT_CALLER); \
    }

KIT_NOT_OFFERED(cudaArrayGetInfo)
KIT_NOT_OFFERED(cudaCreateSurfaceObject)
KIT_NOT_OFFERED(cudaCreateTextureObject)
KIT_NOT_OFFERED(cudaDestroySurfaceObject)
KIT_NOT_OFFERED(cudaDestroyTextureObject)
KIT_NOT_OFFERED(cudaDeviceGetTexture1DLinearMaxWidth)
KIT_NOT_OFFERED(cudaFreeArray)
KIT_NOT_OFFERED(cudaFreeMipmappedArray)
KIT_NOT_OFFERED(cudaGetChannelDesc)
KIT_NOT_OFFERED(cudaGetDriverEntryPoint)
KIT_NOT_OFFERED(cudaGetDriverEntryPointByVersion)
KIT_NOT_OFFERED(cudaGetMipmappedArrayLevel)
KIT_NOT_OFFERED(cudaGetSurfaceObjectResourceDesc)
KIT_NOT_OFFERED(cudaGetTextureObjectResourceDesc)
KIT_NOT_OFFERED(cudaGetTextureObjectResourceViewDesc)
KIT_NOT_OFFERED(cudaGetTextureObjectTextureDesc)
KIT_NOT_OFFERED(cudaGraphReleaseUserObject)
KIT_NOT_OFFERED(cudaGraphRetainUserObject)
KIT_NOT_OFFERED(cudaIpcCloseMemHandle)
KIT_NOT_OFFERED(cudaIpcGetEventHandle)
KIT_NOT_OFFERED(cudaIpcGetMemHandle)
KIT_NOT_OFFERED(cudaIpcOpenEventHandle)
KIT_NOT_OFFERED(cudaIpcOpenMemHandle)
KIT_NOT_OFFERED(cudaMalloc3DArray)
KIT_NOT_OFFERED(cudaMallocArray)
KIT_NOT_OFFERED(cudaMallocMipmappedArray)
KIT_NOT_OFFERED(cudaMemPoolCreate)
KIT_NOT_OFFERED(cudaMemPoolDestroy)
KIT_NOT_OFFERED(cudaMemPoolExportPointer)
KIT_NOT_OFFERED(cudaMemPoolExportToShareableHandle)
KIT_NOT_OFFERED(cudaMemPoolGetAccess)
KIT_NOT_OFFERED(cudaMemPoolImportFromShareableHandle)
KIT_NOT_OFFERED(cudaMemPoolImportPointer)
KIT_NOT_OFFERED(cudaMemPoolSetAccess)
KIT_NOT_OFFERED(cudaMemcpy2DArrayToArray)
KIT_NOT_OFFERED(cudaMemcpy2DFromArray)
KIT_NOT_OFFERED(cudaMemcpy2DFromArrayAsync)
KIT_NOT_OFFERED(cudaMemcpy2DToArray)
KIT_NOT_OFFERED(cudaMemcpy2DToArrayAsync)
KIT_NOT_OFFERED(cudaMemcpyArrayToArray)
KIT_NOT_OFFERED(cudaMemcpyFromArray)
KIT_NOT_OFFERED(cudaMemcpyFromArrayAsync)
KIT_NOT_OFFERED(cudaMemcpyToArray)
KIT_NOT_OFFERED(cudaMemcpyToArrayAsync)
KIT_NOT_OFFERED(cudaUserObjectCreate)
KIT_NOT_OFFERED(cudaUserObjectRelease)
KIT_NOT_OFFERED(cudaUserObjectRetain)
