// The thread of a kernel that has changed what a graph runs, and whether two such calls are ordered.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>

#include "run/work_order.hpp"

namespace kit::cpu {

/// A thread of a kernel, at the call that it makes.
struct KernelCaller {
    /// Returns the running thread.
    static KernelCaller now(Place place);

    /// Returns whether something orders this earlier call before the later call, which is being made now.
    bool is_ordered_with(const KernelCaller& later) const;

    bool is_known() const { return who.kind != facts::Who::Kind::nobody; }

    WorkStamp work;
    std::uint64_t thread = 0;    ///< number of the thread in its kernel
    std::uint64_t barriers = 0;  ///< number of barriers that its block had passed before the call
    facts::Who who;              ///< names of the thread, for reports; empty before the first call
    Place place;
};

}  // namespace kit::cpu
