// Events: what a cudaEvent_t points to.
#pragma once

#include <driver_types.h>

#include <memory>
#include <vector>

#include "stream.hpp"

/// The object to which a cudaEvent_t points. Recording replaces the operation, or in a capture the nodes, for which the event is complete.
struct CUevent_st {
    unsigned flags = cudaEventDefault;
    int device = 0;             ///< the current device when it was created
    std::uint64_t born = 0;     ///< see memory/leaks.hpp
    kit::cpu::Place made_at{};  ///< the line that created it, if known
    kit::cpu::OperationPtr recorded;
    std::shared_ptr<kit::cpu::Capture> capture;  ///< null: last recorded in a stream that was not capturing
    std::vector<CUgraphNode_st*> captured;
};

namespace kit::cpu {

/// Returns the event of a handle; null if it does not exist.
CUevent_st* find_event(cudaEvent_t handle);

/// Returns all existing events.
std::vector<const CUevent_st*> live_events();

}  // namespace kit::cpu
