// Access windows of streams, and what they leave behind.
#pragma once

#include <driver_types.h>

struct CUstream_st;

namespace kit::cpu {

/// Of no bytes where the stream has none.
cudaAccessPolicyWindow window_of(const CUstream_st& stream);

/// Called by launches, which may make lines persist: with KIT_LEAKS=1 the end of the program tells what is left.
void watch_for_persisting();

}  // namespace kit::cpu
