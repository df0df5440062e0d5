// The calls of PEs, as facts of findings.
#pragma once

#include "source/findings.hpp"

namespace kit::cpu {

/// `who` is empty if the host calls.
inline facts::Call call_of_pe(int pe, const char* what, Place place, const facts::Who& who = {}) {
    facts::Call call;
    call.who = who;
    call.rank = pe;
    call.function = what;
    call.at = line_of(place);
    return call;
}

}  // namespace kit::cpu
