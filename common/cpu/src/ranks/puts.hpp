// Puts of kernels that are still in flight. Other host functions of NVSHMEM complete or drop them.
#pragma once

#include <kit_cpu/puts.hpp>

namespace kit::cpu {

/// Lands the puts of kernels of the PE that have ended.
void land_puts_of(int pe);
void forget_puts();

}  // namespace kit::cpu
