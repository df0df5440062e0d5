// Functions of the API that launch kernels: cudaLaunchKernel, and cudaLaunchKernelEx with a configuration.
#pragma once

#include <driver_types.h>

#include <kit_cpu/runtime_templates.hpp>
#include <utility>

namespace kit::cpu {

/// A launch configuration, and the line of the call that uses it.
struct LaunchCall {
    const cudaLaunchConfig_t* config;
    Place place;
};

/// Fills in the launch as the configuration describes. An error is returned, and stored for cudaGetLastError.
cudaError_t configure(Launch& launch, const LaunchCall& call, const void* kernel);

/// Records the events that the configuration names. Called after the kernel has been queued.
cudaError_t record_events(const cudaLaunchConfig_t& config);

template <class... P, class Run>
cudaError_t launch_configured(const LaunchCall& call, void (*kernel)(P...), Run run) {
    Launch launch;
    cudaError_t error = configure(launch, call, reinterpret_cast<const void*>(kernel));
    if (error == cudaSuccess) error = run(std::move(launch));
    return error == cudaSuccess ? record_events(*call.config) : error;
}

}  // namespace kit::cpu

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared = 0, cudaStream_t stream = nullptr) {
    if constexpr (std::is_function_v<T>)
        return kit::cpu::launch_with_pointers(
            kernel, arguments, {"", nullptr, grid, block, shared, stream, false, kit::cpu::this_call(), {}});
    else
        return ::cudaLaunchKernel(static_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}

template <class T>
KIT_CPU_WRAPPER cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                        std::size_t shared = 0,
                                                        cudaStream_t stream = nullptr) {
    if constexpr (std::is_function_v<T>)
        return kit::cpu::launch_with_pointers(
            kernel, arguments, {"", nullptr, grid, block, shared, stream, true, kit::cpu::this_call(), {}});
    else
        return ::cudaLaunchCooperativeKernel(static_cast<const void*>(kernel), grid, block, arguments, shared,
                                             stream);
}

template <class... P, class... Arguments>
KIT_CPU_WRAPPER cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                               Arguments&&... arguments) {
    return kit::cpu::launch_configured({config, kit::cpu::this_call()}, kernel, [&](kit::cpu::Launch launch) {
        return kit::cpu::BoundKernel<P...>{std::move(launch), kernel}(std::forward<Arguments>(arguments)...);
    });
}

/// An overload with the kernel's parameters. The translator removes casts of the kernel, so the types of the
/// parameters are known. CUDA has no such overload.
template <class... P>
KIT_CPU_WRAPPER cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                                void** arguments) {
    return kit::cpu::launch_configured({config, kit::cpu::this_call()}, kernel, [&](kit::cpu::Launch launch) {
        return kit::cpu::launch_with_pointers(kernel, arguments, std::move(launch));
    });
}

/// Does nothing, because kernels run one after another on the executor.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
