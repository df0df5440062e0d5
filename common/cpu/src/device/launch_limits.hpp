// The limits of a launch: those of the device, and those of the kernel.
#pragma once

#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

/// Returns cudaSuccess, or CUDA's error for this launch. A refusal adds a finding that names the limit and the request.
cudaError_t check_launch(const Launch& launch);

/// Fills in the missing parts of the launch: the kernel's name, and the cluster that the kernel requires.
void name_kernel(Launch& launch);

/// Returns kernel_facts from a cache, because launches are frequent and the symbol table is slow. Null: nothing is known.
const KernelFacts& known_facts(const void* kernel);

/// Returns the dynamic shared memory that a launch of this kernel can request: 48 KB minus its static part, or the size that
/// cudaFuncSetAttribute granted. Null stands for a kernel of unknown address, for which the largest grant of any kernel counts.
std::size_t dynamic_shared_limit(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
