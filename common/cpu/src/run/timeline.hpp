// Records queued work for the timeline of kit_cpu/timeline.hpp. Called with the API lock held.
#pragma once

#include <kit_cpu/timeline.hpp>

#include "work_order.hpp"

namespace kit::cpu {

/// Records a queued piece of work. `host`: the work for which the host had waited before. `done`: all work up
/// to this number had finished.
void note_queued(const WorkStamp& stamp, const WorkClock& host, std::uint64_t done);

/// Starts recording all later work for the profile, independently of begin_timeline().
void keep_timeline();
std::vector<QueuedPiece> kept_timeline();

}  // namespace kit::cpu
