// A graph as a list of steps: the operations that a launch runs, each with its predecessors.
#pragma once

#include <cstdint>
#include <vector>

struct CUgraph_st;
struct CUgraphNode_st;

namespace kit::cpu {

/// One operation of a launch. A child graph is enclosed in two marks.
struct Step {
    CUgraphNode_st* node;             ///< null for a mark
    std::vector<std::size_t> before;  ///< indexes of the preceding steps; empty for a first step
    std::uint64_t row = 0;            ///< the step's row (see WorkStamp::stream); 0: the row of the launching
                                      ///< stream
    bool is_last = true;              ///< whether no step comes after it
};

struct Steps {
    std::vector<Step> list;  ///< the steps, each after its predecessors
    std::uint64_t row = 0;   ///< the row to use instead of row 0, if no stream launches the steps
};

/// Returns the steps of a graph without cycles. The steps point to the graph's nodes.
Steps steps_of(const CUgraph_st& graph);

}  // namespace kit::cpu
