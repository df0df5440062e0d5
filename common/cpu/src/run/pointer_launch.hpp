// Launching a kernel of which only the address is known, as in cudaLaunchKernel((void*)kernel, ...).
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// `arguments` holds one pointer per parameter. The parameters' types are read from the kernel's symbol name;
/// pointers and arithmetic types are supported, a structure by value is cudaErrorNotSupported with a finding.
cudaError_t launch_by_address(Launch launch, void** arguments);

/// The same for a launch that comes later: sets its body.
cudaError_t bind_by_address(Launch& launch, void** arguments);

}  // namespace kit::cpu
