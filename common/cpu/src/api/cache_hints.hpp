// The access windows of streams, and the lines that they leave persisting.
#pragma once

#include <driver_types.h>

struct CUstream_st;

namespace kit::cpu {

/// Returns the window of the stream, with 0 bytes if it has none.
cudaAccessPolicyWindow window_of(const CUstream_st& stream);

/// Called by launches, which may make lines persist. With KIT_LEAKS=1, the end of the program reports the lines that still persist.
void watch_for_persisting();

}  // namespace kit::cpu
