// The thread of a kernel that made a call which changes what a graph runs, and the order of two such calls.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>

#include "run/work_order.hpp"

namespace kit::cpu {

/// A thread of a kernel at its call.
struct KernelCaller {
    /// Returns the thread that runs now.
    static KernelCaller now(Place place);

    /// Returns whether something orders this earlier call before that one, which happens now.
    bool is_ordered_with(const KernelCaller& later) const;

    bool is_known() const { return who.kind != facts::Who::Kind::nobody; }

    WorkStamp work;
    std::uint64_t thread = 0;    ///< its number in that kernel
    std::uint64_t barriers = 0;  ///< the number of barriers that its block had passed
    facts::Who who;              ///< the caller; empty before the first call
    Place place;
};

}  // namespace kit::cpu
