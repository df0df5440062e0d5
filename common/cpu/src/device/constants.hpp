// The `__constant__` variables of the program.
#pragma once

#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>

namespace kit::cpu {

/// What all `__constant__` variables of a program may have together.
constexpr std::size_t constant_limit = 64 * 1024;

/// Returns whether this address is in a `__constant__` variable.
bool is_constant(const void* address);
std::size_t constant_bytes();

/// The runtime has written there: what the variable now holds, in these bytes, is what the device has.
void keep_constants(const void* address, std::size_t bytes);
/// A kernel begins: variables that host code wrote to by their names are findings, and get back what the device has.
void restore_constants(const std::string& kernel, Place launch);

}  // namespace kit::cpu
