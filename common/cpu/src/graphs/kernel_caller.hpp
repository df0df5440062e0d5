// Who of a kernel made a call that changes what runs in a graph, and whether calls are ordered.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>

#include "run/work_order.hpp"

namespace kit::cpu {

/// A thread of a kernel at its call.
struct KernelCaller {
    /// Returns the thread that runs now.
    static KernelCaller now(Place place);

    /// Returns whether something orders this earlier call with that one, which is made now.
    bool is_ordered_with(const KernelCaller& later) const;

    bool is_known() const { return who.kind != facts::Who::Kind::nobody; }

    WorkStamp work;
    std::uint64_t thread = 0;    ///< its number in that kernel
    std::uint64_t barriers = 0;  ///< the number of barriers that its block had passed
    facts::Who who;              ///< the caller; nobody before the first call
    Place place;
};

}  // namespace kit::cpu
