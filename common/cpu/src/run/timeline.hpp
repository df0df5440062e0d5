// Records queued work for kit_cpu/timeline.hpp. Called with the API lock held.
#pragma once

#include <kit_cpu/timeline.hpp>

#include "work_order.hpp"

namespace kit::cpu {

/// Records a queued piece. `host`: the work for which the host had waited, `done`: everything up to this operation.
void note_queued(const WorkStamp& stamp, const WorkClock& host, std::uint64_t done);

/// For the profile: records all later work, independently of begin_timeline().
void keep_timeline();
std::vector<QueuedPiece> kept_timeline();

}  // namespace kit::cpu
