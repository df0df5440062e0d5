// The sentences about nodes of graphs that kernels change.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>
#include <vector>

#include "finding.hpp"

namespace kit::cpu {

/// Why a kernel cannot change a node.
enum class ChangeFault {
    no_node,
    not_uploaded,
    launched_without_upload,  ///< its own graph
    no_field,
    no_block  ///< in the grid
};
Finding node_change_refused(ChangeFault fault, const std::string& thread, const Spot& at, Place place);

struct ParameterPlace {
    std::size_t offset, bytes;
};
Finding no_parameter_there(const std::string& kernel, std::size_t offset, std::size_t bytes,
                           const std::vector<ParameterPlace>& parameters, const std::string& thread,
                           const Spot& at, Place place);

Finding changed_by_two(const std::string& kernel, const std::string& first, Place first_at,
                       const std::string& second, const Spot& second_at, Place place);
Finding change_not_ordered(const std::string& kernel, const std::string& thread, Place changed_at);

/// What the host cannot do with such a node, or with its graph.
enum class UpdatableFault {
    second_instance,
    removed,
    taken_back,
    no_flag,  ///< neither 0 nor 1
    attributes_copied,
    graph_updated,
    cloned,
    not_captured  ///< a launch with the attribute
};
Finding updatable_node_refused(UpdatableFault fault, Place place);

/// Where the parameters of a kernel lie that is known by its address only.
std::string unknown_parameters(const std::string& kernel, const std::string& parameter, Place place);

}  // namespace kit::cpu
