// Attributes of launches and of kernel nodes in graphs.
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Applies the attribute to the launch. If that is impossible, returns an error and reports the reason at the
/// launch's line.
cudaError_t set_attribute(Launch& launch, const cudaLaunchAttribute& attribute);

}  // namespace kit::cpu
