// The one sentence about what the CPU executor does not offer.
#pragma once

#include <driver_types.h>

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// "cudaMallocArray is not supported by the CPU backend (line 5 of ...)" and cudaErrorNotSupported.
cudaError_t refuse_not_offered(const char* what, Place place);
/// For a part of a function that is not offered.
cudaError_t refuse_not_offered(facts::Rule rule, Place place);

}  // namespace kit::cpu
