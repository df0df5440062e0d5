// The sentences about graphs, and about calls that a capture cannot take.
#pragma once

#include <driver_types.h>

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// Why a call breaks a capture.
enum class CaptureFault {
    default_stream,      ///< which waits for the capturing one
    not_repeated,        ///< by any launch of the graph
    has_no_node,         ///< that could stand for it
    waits_for_stream,    ///< that captures
    waits_for_event,     ///< recorded in a capture
    waits_for_device,    ///< while a stream captures
    event_from_outside,  ///< of all captures
    event_of_ended,      ///< capture
    default_stream_joins,
    merges_two,
    frees_strange_memory,
    frees_again,
    ends_elsewhere  ///< in a stream that only joined
};

/// `call`: "cudaMalloc", "the launch of `scale`". `begun`: where the capture began.
Finding breaks_capture(CaptureFault fault, const std::string& call, Place place, Place begun);
/// At the capture's end nothing waits for the last node of another stream.
Finding capture_not_joined(const std::string& node, Place place);

Finding graph_has_cycle(Place place);
Finding graph_has_instance(Place place);
Finding graph_memory_not_freed(Place place);

/// "kernel `scale`", "a copy", "a host function", ...
std::string node_in_words(cudaGraphNodeType type, const std::string& kernel);

/// Who touches memory of a graph at the ends of its life.
constexpr const char* allocating_node = "the node that allocates it";
constexpr const char* freeing_node = "the node that frees it";

}  // namespace kit::cpu
