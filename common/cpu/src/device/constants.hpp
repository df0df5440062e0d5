// The `__constant__` variables of the program.
#pragma once

#include <cstddef>

namespace kit::cpu {

/// What all `__constant__` variables of a program may have together.
constexpr std::size_t constant_limit = 64 * 1024;

/// Is this address in a `__constant__` variable?
bool is_constant(const void* address);
std::size_t constant_bytes();

}  // namespace kit::cpu
