// The limits of a launch: those of the device, and those of the kernel.
#pragma once

#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

/// cudaSuccess, or the error that CUDA gives for this launch; a refusal adds a finding that names limit and
/// wish.
cudaError_t check_launch(const Launch& launch);

/// Fills in what the launch leaves open: the kernel's name, and the cluster that it asks for.
void name_kernel(Launch& launch);

/// kernel_facts, remembered: a launch is frequent, a symbol table slow. Null: nothing is known.
const KernelFacts& known_facts(const void* kernel);

/// Dynamic shared memory that a launch of this kernel may ask for: 48 KB less its static part, or what
/// cudaFuncSetAttribute granted. Null stands for a kernel of unknown address: the largest grant of any
/// kernel.
std::size_t dynamic_shared_limit(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
