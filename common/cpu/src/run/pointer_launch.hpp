// Launches a kernel of which only the address is known, as in cudaLaunchKernel((void*)kernel, ...).
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// `arguments` holds one pointer per parameter. A kernel that the translator has seen next to `kernelParams` knows its parameters'
/// types (KernelByAddress). For others they are read from the symbol name; pointers and arithmetic types are supported, a
/// structure by value is cudaErrorNotSupported with a finding.
cudaError_t launch_by_address(Launch launch, void** arguments);

/// Sets the body of a launch that happens later.
cudaError_t bind_by_address(Launch& launch, void** arguments);

/// Returns the place of a parameter among those of the kernel, whose types are read in the same way.
cudaError_t parameter_at(const void* kernel, std::size_t index, Place place, std::size_t* offset,
                         std::size_t* bytes);

}  // namespace kit::cpu
