// Notes queued work for whoever wants to see it (kit_cpu/timeline.hpp). Called with the API lock held.
#pragma once

#include <kit_cpu/timeline.hpp>

#include "work_order.hpp"

namespace kit::cpu {

/// A piece was queued. `host`: what the host had waited for, `done`: all up to this operation.
void note_queued(const WorkStamp& stamp, const WorkClock& host, std::uint64_t done);

/// For the profile: whatever is queued from now on, besides what begin_timeline() asks for.
void keep_timeline();
std::vector<QueuedPiece> kept_timeline();

}  // namespace kit::cpu
