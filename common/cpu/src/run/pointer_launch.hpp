// Launches a kernel by its address, as in cudaLaunchKernel((void*)kernel, ...).
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Launches the kernel with `arguments`, one pointer for each parameter. KernelByAddress knows the
/// parameters' types if the translator has seen the kernel next to `kernelParams`. For other kernels, the
/// types are read from the symbol name. Pointers and arithmetic types are supported; for a structure by
/// value, the function reports a finding and returns cudaErrorNotSupported.
cudaError_t launch_by_address(Launch launch, void** arguments);

/// Sets the body of a launch that will run later, such as a node of a graph.
cudaError_t bind_by_address(Launch& launch, void** arguments);

/// Stores the offset of a parameter among the kernel's parameters, whose types are found as for
/// launch_by_address().
cudaError_t parameter_at(const void* kernel, std::size_t index, Place place, std::size_t* offset,
                         std::size_t* bytes);

}  // namespace kit::cpu
