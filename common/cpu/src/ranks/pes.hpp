// Calls of PEs, as findings know them.
#pragma once

#include "source/findings.hpp"

namespace kit::cpu {

/// `who`: nobody if the host calls.
inline facts::Call call_of_pe(int pe, const char* what, Place place, const facts::Who& who = {}) {
    facts::Call call;
    call.who = who;
    call.rank = pe;
    call.function = what;
    call.at = line_of(place);
    return call;
}

}  // namespace kit::cpu
