// A graph as the list of operations that a launch runs, each with its predecessors.
#pragma once

#include <cstdint>
#include <vector>

struct CUgraph_st;
struct CUgraphNode_st;

namespace kit::cpu {

/// One operation of a launch. Two marks enclose the operations of a child graph.
struct Step {
    CUgraphNode_st* node;             ///< null for a mark
    std::vector<std::size_t> before;  ///< steps before it; none: the start of the launch
    std::uint64_t row = 0;            ///< see WorkStamp::stream; 0: the row of the launching stream
    bool is_last = true;              ///< whether no step comes after it
};

struct Steps {
    std::vector<Step> list;  ///< the steps, each after its predecessors
    std::uint64_t row = 0;   ///< row that replaces row 0 if no stream launches the steps
};

/// Returns the steps of a graph without cycles, whose nodes they point to.
Steps steps_of(const CUgraph_st& graph);

}  // namespace kit::cpu
