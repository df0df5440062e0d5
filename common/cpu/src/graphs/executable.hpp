// An instance of a graph: a copy with a position in the order for each node. It can be launched many times.
#pragma once

#include "graph.hpp"
#include "graph_run.hpp"
#include "steps.hpp"

/// The object to which a cudaGraphExec_t points.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> copy;  ///< its nodes know their originals, whose handles the program uses
    cudaGraph_t source = nullptr;      ///< the graph that it was made from, which may be destroyed
    unsigned long long flags = 0;
    std::uint64_t born = 0;       ///< see memory/leaks.hpp
    kit::cpu::Place made_at{};    ///< line that created it; unknown if it is not recorded
    kit::cpu::OperationPtr last;  ///< end of the latest launch; launches of one instance do not overlap

    std::shared_ptr<const kit::cpu::Steps> steps;
    std::shared_ptr<kit::cpu::InstanceState> state;
};

namespace kit::cpu {

CUgraphExec_st* find_executable(cudaGraphExec_t handle);

/// Instantiates the graph. `failed` receives the node that is the reason for a failure, if there is one.
cudaError_t instantiate(CUgraph_st& graph, unsigned long long flags, Place place, CUgraphExec_st** made);
void destroy_executable(CUgraphExec_st* exec);
std::vector<const CUgraphExec_st*> live_executables();

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place);

/// Returns the instance's copy of a node of the graph that it was made from; null if it has none.
CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original);

/// Called when the program has changed the instance. The device gets the change at the next upload.
inline void forget_upload(CUgraphExec_st& exec) {
    exec.state->uploaded = nullptr;
    exec.state->uploaded_apart = false;
}

/// Gives all tasks of a graph with the same shape to the instance, or none.
cudaGraphExecUpdateResultInfo update_graph(CUgraph_st& copy, const CUgraph_st& graph);

/// Returns success if a node of an instance can be given this task, and otherwise the error that says how it differs.
cudaGraphExecUpdateResult may_become(const NodeTask& now, const NodeTask& wanted);

}  // namespace kit::cpu
