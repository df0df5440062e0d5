// Reports features of CUDA that the CPU executor does not support.
#pragma once

#include <driver_types.h>

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Reports a function, as in "cudaMallocArray is not supported by the CPU backend (line 5 of ...)", and
/// returns cudaErrorNotSupported.
cudaError_t refuse_not_offered(const char* what, Place place);
/// Reports a part of a function, which the rule names, and returns cudaErrorNotSupported.
cudaError_t refuse_not_offered(facts::Rule rule, Place place);

}  // namespace kit::cpu
