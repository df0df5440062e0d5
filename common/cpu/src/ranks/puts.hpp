// Puts by kernels that are in flight. Host functions of NVSHMEM complete or drop these puts.
#pragma once

#include <kit_cpu/puts.hpp>

namespace kit::cpu {

/// Lands the puts of the PE's kernels that have ended.
void land_puts_of(int pe);
void forget_puts();

}  // namespace kit::cpu
