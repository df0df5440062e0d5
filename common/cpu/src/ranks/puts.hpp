// Puts by kernels that are in flight. Host functions of NVSHMEM complete or drop these puts.
#pragma once

#include <kit_cpu/puts.hpp>

#include "source/findings.hpp"

namespace kit::cpu {

/// Lands the puts of the PE's kernels that have ended.
void land_puts_of(int pe);
void forget_puts();

// Describes the calls of PEs as facts for findings.

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
