// An instance of a graph: a copy of it with a place in the order for each node. It can be launched many times.
#pragma once

#include "graph.hpp"
#include "graph_run.hpp"
#include "steps.hpp"

/// What a cudaGraphExec_t points to.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> copy;  ///< nodes know their originals, by which the program names them
    cudaGraph_t source = nullptr;      ///< may be gone by now
    unsigned long long flags = 0;
    std::uint64_t born = 0;       ///< see memory/leaks.hpp
    kit::cpu::Place made_at{};    ///< if known
    kit::cpu::OperationPtr last;  ///< the end of the latest launch: launches of one instance do not overlap

    std::shared_ptr<const kit::cpu::Steps> steps;
    std::shared_ptr<kit::cpu::InstanceState> state;
};

namespace kit::cpu {

CUgraphExec_st* find_executable(cudaGraphExec_t handle);

/// `failed` gets a node that is to blame, if there is one.
cudaError_t instantiate(CUgraph_st& graph, unsigned long long flags, Place place, CUgraphExec_st** made);
void destroy_executable(CUgraphExec_st* exec);
std::vector<const CUgraphExec_st*> live_executables();

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place);

/// Returns the instance's copy of a node of the graph that it was made from; null if it has none.
CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original);

/// Whether the program has changed it. The device does not have the change before the next upload.
inline void forget_upload(CUgraphExec_st& exec) {
    exec.state->uploaded = nullptr;
    exec.state->uploaded_apart = false;
}

/// Gives the instance the tasks of a graph of the same shape, all or none.
cudaGraphExecUpdateResultInfo update_graph(CUgraph_st& copy, const CUgraph_st& graph);

/// Returns success if a node of an instance can be given this task, and otherwise the error that says how it differs.
cudaGraphExecUpdateResult may_become(const NodeTask& now, const NodeTask& wanted);

}  // namespace kit::cpu
