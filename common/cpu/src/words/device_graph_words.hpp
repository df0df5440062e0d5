// The sentences about graphs that kernels launch, and about conditional nodes.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <string>

#include "finding.hpp"

namespace kit::cpu {

/// Why a kernel cannot launch a graph.
enum class LaunchFault {
    outside_of_graphs,  ///< the kernel is in none
    in_body,            ///< of a conditional node
    no_stream,          ///< of the three that there are
    no_instance,
    not_for_device,
    not_uploaded,
    active,
    itself_twice,
    too_many_fired,
    too_many_tails
};
Finding device_launch_refused(LaunchFault fault, const std::string& thread, const Spot& at, Place place);
Finding endless_tails(unsigned launches, double seconds, Place place);

// ---- instances ----
Finding not_in_device_graph(const std::string& node, Place place);
/// There is no node in it, or its flags contradict each other.
Finding device_graph_refused(bool flags, Place place);
Finding not_in_body(const std::string& node, Place place);
Finding conditional_has_instance(Place place);
/// A handle for a conditional node that has one already, or is of another graph.
Finding handle_refused(bool has_node, Place place);

// ---- conditions; `place` is where the node was made ----
Finding condition_unknown(cudaGraphConditionalNodeType type, Place place);
Finding condition_not_ordered(cudaGraphConditionalNodeType type, Place place, const std::string& thread,
                              Place set_at);
Finding condition_set_by_two(const std::string& first, Place first_at, const std::string& second,
                             const Spot& second_at, Place place);
std::string strange_condition(const std::string& thread, const Spot& at);
Finding endless_while(std::uint64_t rounds, double seconds, Place place);

}  // namespace kit::cpu
