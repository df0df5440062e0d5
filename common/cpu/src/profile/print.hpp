// Prints the profile and the timeline with the sentences of common/words.
#pragma once

#include <facts/profile.hpp>
#include <kit_cpu/profile.hpp>
#include <kit_cpu/timeline.hpp>

namespace kit::cpu {

facts::Requests requests_of(const LineCounts& line, RequestKind kind);
facts::Piece piece_of(const QueuedPiece& piece);

}  // namespace kit::cpu
