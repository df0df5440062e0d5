// Describes the calls of PEs as facts for findings.
#pragma once

#include "source/findings.hpp"

namespace kit::cpu {

/// Returns the facts about a call by a PE. `who` is empty if the PE's host calls.
inline facts::Call call_of_pe(int pe, const char* what, Place place, const facts::Who& who = {}) {
    facts::Call call;
    call.who = who;
    call.rank = pe;
    call.function = what;
    call.at = line_of(place);
    return call;
}

}  // namespace kit::cpu
