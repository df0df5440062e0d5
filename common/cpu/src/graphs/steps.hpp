// A graph as a list of operations, each with those that it comes after: what a launch runs.
#pragma once

#include <cstdint>
#include <vector>

struct CUgraph_st;
struct CUgraphNode_st;

namespace kit::cpu {

/// One operation of a launch. Two marks enclose the operations of a child graph.
struct Step {
    CUgraphNode_st* node;             ///< null for a mark
    std::vector<std::size_t> before;  ///< steps; none: the beginning of the launch
    std::uint64_t row = 0;            ///< see WorkStamp::stream; 0: that of whoever launches it
    bool is_last = true;              ///< nothing comes after it
};

struct Steps {
    std::vector<Step> list;  ///< each after those that it comes after
    std::uint64_t row = 0;   ///< for those of row 0, where no stream launches them
};

/// Returns the steps of a graph without cycles, whose nodes they point to.
Steps steps_of(const CUgraph_st& graph);

}  // namespace kit::cpu
