// Events: what a cudaEvent_t points to.
#pragma once

#include <driver_types.h>

#include <memory>
#include <vector>

#include "stream.hpp"

/// Recording replaces the operation that the event stands for or, in a capture, the nodes.
struct CUevent_st {
    unsigned flags = cudaEventDefault;
    int device = 0;             ///< that was current when it was made
    std::uint64_t born = 0;     ///< see memory/leaks.hpp
    kit::cpu::Place made_at{};  ///< if known
    kit::cpu::OperationPtr recorded;
    std::shared_ptr<kit::cpu::Capture> capture;  ///< null: last recorded in a stream that was not capturing
    std::vector<CUgraphNode_st*> captured;
};

namespace kit::cpu {

/// The event behind a handle; null when it is not alive.
CUevent_st* find_event(cudaEvent_t handle);

/// All events that are alive.
std::vector<const CUevent_st*> live_events();

}  // namespace kit::cpu
