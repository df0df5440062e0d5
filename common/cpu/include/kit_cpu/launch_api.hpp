// Launching with a configuration (cudaLaunchKernelEx), and the calls that ask about clusters.
#pragma once

#include <driver_types.h>

#include <kit_cpu/launch.hpp>
#include <utility>

namespace kit::cpu {

/// A configuration and the line that launches with it.
struct LaunchCall {
    LaunchCall(const cudaLaunchConfig_t* config, Place place = KIT_CPU_HERE) : config(config), place(place) {}

    const cudaLaunchConfig_t* config;
    Place place;
};

/// The launch that the configuration describes. The error, if any, is kept for cudaGetLastError, too.
cudaError_t configure(Launch& launch, const LaunchCall& call, const void* kernel);

/// Records the events that the configuration names, once the kernel is queued.
cudaError_t record_events(const cudaLaunchConfig_t& config);

}  // namespace kit::cpu

template <class... P, class... Arguments>
cudaError_t cudaLaunchKernelEx(kit::cpu::LaunchCall call, void (*kernel)(P...), Arguments&&... arguments) {
    kit::cpu::Launch launch;
    cudaError_t error = kit::cpu::configure(launch, call, reinterpret_cast<const void*>(kernel));
    if (error == cudaSuccess)
        error = kit::cpu::BoundKernel<P...>{std::move(launch), kernel}(std::forward<Arguments>(arguments)...);
    return error == cudaSuccess ? kit::cpu::record_events(*call.config) : error;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments,
                                kit::cpu::Place place = KIT_CPU_HERE);

template <class... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(P...), void** arguments,
                                kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::Launch launch;
    cudaError_t error = kit::cpu::configure(launch, {config, place}, reinterpret_cast<const void*>(kernel));
    if (error == cudaSuccess)
        error = kit::cpu::launch_with_pointers(kernel, arguments, std::move(launch),
                                               std::index_sequence_for<P...>());
    return error == cudaSuccess ? kit::cpu::record_events(*config) : error;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel,
                                                 const cudaLaunchConfig_t* config);

template <class... P>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void (*kernel)(P...),
                                           const cudaLaunchConfig_t* config) {
    return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}

template <class... P>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void (*kernel)(P...),
                                                 const cudaLaunchConfig_t* config) {
    return cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}

/// Kernels run one after the other here, so a dependent one finds everything done.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
