// CUDA events: the objects to which cudaEvent_t points.
#pragma once

#include <driver_types.h>

#include <memory>
#include <vector>

#include "stream.hpp"

/// The object to which a cudaEvent_t points. Each record stores the operation (in a capture, the nodes) that
/// must finish before the event is complete.
struct CUevent_st {
    unsigned flags = cudaEventDefault;
    int device = 0;             ///< the device that was current when the event was created
    std::uint64_t born = 0;     ///< creation time, for the report of leaks (memory/leaks.hpp)
    kit::cpu::Place made_at{};  ///< the line that created the event, if known
    kit::cpu::OperationPtr recorded;
    std::shared_ptr<kit::cpu::Capture> capture;  ///< the capture in which the event was last recorded; null
                                                 ///< if its stream was not capturing
    std::vector<CUgraphNode_st*> captured;
};

namespace kit::cpu {

/// Returns the event of a handle; null if it does not exist.
CUevent_st* find_event(cudaEvent_t handle);

/// Returns all existing events.
std::vector<const CUevent_st*> live_events();

}  // namespace kit::cpu
