// The `__constant__` variables of the program.
#pragma once

#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>

namespace kit::cpu {

/// Total size in bytes of all `__constant__` variables of a program.
constexpr std::size_t constant_limit = 64 * 1024;

/// Returns whether this address is in a `__constant__` variable.
bool is_constant(const void* address);
std::size_t constant_bytes();

/// Records that the runtime has written these bytes, so their current values are the device's values.
void keep_constants(const void* address, std::size_t bytes);
/// Called when a kernel starts. Reports variables that host code assigned directly, and restores the device's
/// values.
void restore_constants(const std::string& kernel, Place launch);

}  // namespace kit::cpu
