// The attributes of launches and of kernel nodes.
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Gives the launch the attribute; a finding at its place says why not.
cudaError_t set_attribute(Launch& launch, const cudaLaunchAttribute& attribute);

}  // namespace kit::cpu
