// Calls about graphs and their nodes that kernels make.
#pragma once

#include <driver_types.h>

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Implements cudaGraphLaunch in device code.
cudaError_t launch_from_kernel(cudaGraphExec_t exec, cudaStream_t stream, Place place);

}  // namespace kit::cpu
