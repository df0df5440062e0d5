// Puts of kernels that have not landed. Other host functions of NVSHMEM complete or forget them.
#pragma once

#include <kit_cpu/puts.hpp>

namespace kit::cpu {

/// Lands what kernels of the PE have put that have ended.
void land_puts_of(int pe);
void forget_puts();

}  // namespace kit::cpu
