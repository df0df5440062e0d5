// Evaluates an #if that tests __CUDA_ARCH__, for the host and for the device.
#pragma once

#include <optional>
#include <string_view>

namespace kit::translate {

/// Returns the value of an #if, #ifdef, #ifndef or #elif directive. `architecture` is the value of
/// __CUDA_ARCH__, or 0 if it is not defined. Returns nothing if the value depends on other names.
std::optional<long long> condition_value(std::string_view directive, int architecture);

}  // namespace kit::translate
