// The access policy windows of streams, and the L2 cache lines that they leave persisting.
#pragma once

#include <driver_types.h>

struct CUstream_st;

namespace kit::cpu {

/// Returns the access policy window of the stream, with 0 bytes if it has none.
cudaAccessPolicyWindow window_of(const CUstream_st& stream);

/// Called by launches, which can make lines persist. If KIT_LEAKS=1 is set, the end of the program reports
/// lines that still persist.
void watch_for_persisting();

}  // namespace kit::cpu
