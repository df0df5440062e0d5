// An instance of a graph: a copy of it with a place in the order for each node, launched as often as one likes.
#pragma once

#include "graph.hpp"

/// What a cudaGraphExec_t points to.
struct CUgraphExec_st {
    std::unique_ptr<CUgraph_st> copy;  ///< nodes know their originals, by which the program names them
    cudaGraph_t source = nullptr;      ///< may be gone by now
    unsigned long long flags = 0;
    kit::cpu::OperationPtr last;  ///< the end of the latest launch: launches of one instance do not overlap

    /// One operation of a launch. Those of a child graph stand between two marks.
    struct Step {
        CUgraphNode_st* node;             ///< null for a mark
        std::vector<std::size_t> before;  ///< steps; none: the beginning of the launch
        std::uint64_t row = 0;  ///< see WorkStamp::stream; 0: that of the stream that it is launched into
        bool is_last = true;    ///< nothing comes after it
    };
    std::vector<Step> steps;
};

namespace kit::cpu {

CUgraphExec_st* find_executable(cudaGraphExec_t handle);

/// `failed` gets a node that is to blame, if there is one.
cudaError_t instantiate(CUgraph_st& graph, unsigned long long flags, Place place, CUgraphExec_st** made);
void destroy_executable(CUgraphExec_st* exec);

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place);

/// The instance's copy of a node of the graph that it was made from; null if it has none.
CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original);

/// Gives the instance the tasks of a graph of the same shape, all or none.
cudaGraphExecUpdateResultInfo update_graph(CUgraph_st& copy, const CUgraph_st& graph);

/// Can a node of an instance be given this task? Success, or how it differs too much.
cudaGraphExecUpdateResult may_become(const NodeTask& now, const NodeTask& wanted);

}  // namespace kit::cpu
