// The attributes of launches and of kernel nodes.
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Gives the attribute to the launch. If that is impossible, a finding at the launch's place says why.
cudaError_t set_attribute(Launch& launch, const cudaLaunchAttribute& attribute);

}  // namespace kit::cpu
