// The limits of a launch, which come from the device and from the kernel.
#pragma once

#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

/// Returns cudaSuccess, or CUDA's error for an invalid launch. An error also reports a finding that names the
/// limit and the request.
cudaError_t check_launch(const Launch& launch);

/// Fills in the parts of the launch that are missing: the kernel's name, and the cluster size that the kernel
/// requires.
void name_kernel(Launch& launch);

/// Returns kernel_facts() from a cache, because launches are frequent and reading the symbol table is slow.
/// Accepts null.
const KernelFacts& known_facts(const void* kernel);

/// Returns how many bytes of dynamic shared memory a launch of this kernel can request: 48 KB minus the
/// static part, or the size that cudaFuncSetAttribute granted. If the kernel is null (its address is
/// unknown), the largest size granted to any kernel counts.
std::size_t dynamic_shared_limit(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
