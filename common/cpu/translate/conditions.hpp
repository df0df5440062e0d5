// What an #if that asks for __CUDA_ARCH__ says to the host and to the device.
#pragma once

#include <optional>
#include <string_view>

namespace kit::translate {

/// The value of an #if, #ifdef, #ifndef or #elif as written, where `architecture` is the value of __CUDA_ARCH__, or 0
/// where it is not defined. Nothing when another name decides.
std::optional<long long> condition_value(std::string_view directive, int architecture);

}  // namespace kit::translate
