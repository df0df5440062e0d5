// An instance of a graph (cudaGraphExec_t): a copy of the graph with the order of its nodes, which can be
// launched many times.
#pragma once

#include "graph.hpp"
#include "graph_run.hpp"
#include "steps.hpp"

/// The object to which a cudaGraphExec_t points.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> copy;  ///< copy of the graph; its nodes refer to the originals, whose handles
                                       ///< the program uses
    cudaGraph_t source = nullptr;      ///< the graph that was instantiated, which may have been destroyed
    unsigned long long flags = 0;
    std::uint64_t born = 0;       ///< creation time, for the report of leaks (memory/leaks.hpp)
    kit::cpu::Place made_at{};    ///< the line that created the instance, if recorded
    kit::cpu::OperationPtr last;  ///< end of the latest launch; launches of one instance do not overlap

    std::shared_ptr<const kit::cpu::Steps> steps;
    std::shared_ptr<kit::cpu::InstanceState> state;
};

namespace kit::cpu {

CUgraphExec_st* find_executable(cudaGraphExec_t handle);

/// Instantiates the graph. If that fails because of a node, `failed` receives the node.
cudaError_t instantiate(CUgraph_st& graph, unsigned long long flags, Place place, CUgraphExec_st** made);
void destroy_executable(CUgraphExec_st* exec);
std::vector<const CUgraphExec_st*> live_executables();

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place);

/// Returns the instance's copy of a node of the original graph; null if there is none.
CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original);

/// Called when the program has changed the instance. The next upload copies the change to the device.
inline void forget_upload(CUgraphExec_st& exec) {
    exec.state->uploaded = nullptr;
    exec.state->uploaded_apart = false;
}

/// Replaces the tasks of the instance by those of a graph with the same shape. If the shapes differ, changes
/// nothing.
cudaGraphExecUpdateResultInfo update_graph(CUgraph_st& copy, const CUgraph_st& graph);

/// Returns success if a node of an instance can get this task; otherwise an error that says how the two
/// differ.
cudaGraphExecUpdateResult may_become(const NodeTask& now, const NodeTask& wanted);

}  // namespace kit::cpu
