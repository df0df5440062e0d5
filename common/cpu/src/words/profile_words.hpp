// What --profile says besides its table (kit_cpu/profile.hpp).
#pragma once

#include <string>

namespace kit::cpu {

/// Where the page lies.
std::string page_written(const std::string& path);

/// Kernels may have run, but nobody has looked at them.
std::string nothing_watched();

}  // namespace kit::cpu
