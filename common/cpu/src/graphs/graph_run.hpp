// One launch of an instance while it runs: conditional nodes, which decide in it what runs, and graphs that its kernels launch.
//
// A graph that a kernel launches begins as late as the rules allow, when the nodes of the launching graph are done: a program
// that hopes for its results sooner is seen. The checks know that it comes after the launching kernel, and after nothing else.
// The launching graph is complete when those that it has fired and forgotten are; then its tail launches take its place.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>

#include "kernel_caller.hpp"
#include "run/stream.hpp"
#include "run/work_order.hpp"
#include "steps.hpp"
#include "task.hpp"

struct CUgraphExec_st;

namespace kit::cpu {

class GraphRun;

/// What cudaGraphSetConditional sets. It belongs to one conditional node, and there is one instance of its graph.
struct Condition {
    const CUgraph_st* graph;  ///< only an address
    bool has_default;
    unsigned default_value;
    bool has_node = false;

    // In the launch that runs:
    const GraphRun* run = nullptr;
    bool known = false;  ///< there is a default value, or a kernel has set it
    unsigned value = 0;
    KernelCaller set_by;  ///< the kernel thread that set it last
    bool told = false;
};
using ConditionPtr = std::shared_ptr<Condition>;

cudaGraphConditionalHandle new_condition(const CUgraph_st& graph, bool has_default, unsigned value);
/// Null when there is none behind the handle.
ConditionPtr find_condition(cudaGraphConditionalHandle handle);

/// The state that an instance and its launches share. The instance may be destroyed before the launches end.
struct InstanceState {
    const GraphRun* active = nullptr;  ///< the launch that is not complete, by the host or a kernel
    OperationPtr uploaded;             ///< null: it has not been asked for since the last change
    bool uploaded_apart = false;       ///< by a call of its own since then, not only by a launch
};

/// Operations that the one which runs is part of, see PartOfWork.
using Within = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class GraphRun {
  public:
    GraphRun(CUgraphExec_st& exec, GraphRun* parent, Place place);
    ~GraphRun();
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    // Of a launch by the host: before the first node, at a node's turn, and when all are done.
    void begin();
    cudaError_t kernel(const Launch& launch);
    cudaError_t device_node(CUgraphDeviceUpdatableNode_st& node);
    cudaError_t conditional(const ConditionalTask& task);
    cudaError_t end();

    // Asked for by a thread of its kernel that runs.
    cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream, Place place);
    /// False when the condition is not of this graph.
    bool set(cudaGraphConditionalHandle handle, unsigned value, Place place);
    cudaGraphExec_t for_device() const { return for_device_ ? exec_ : nullptr; }

    /// Its kernels may change nodes of this instance only if that was uploaded before the launch.
    bool lacks_upload(const InstanceState* instance) const {
        return instance == state_.get() && !uploaded_apart_;
    }

    /// Returns the one whose kernel runs now; null when that is in no graph.
    static GraphRun* now();

  private:
    using Clock = std::chrono::steady_clock;

    cudaError_t run_steps(const Steps& steps, const WorkClock& before, const Within& within,
                          WorkClock& after);
    cudaError_t run_fired(const Within& within, Clock::time_point begin, unsigned& launches);
    static cudaError_t complete(std::shared_ptr<GraphRun> run, const Within& within, Clock::time_point begin,
                                unsigned& launches);
    bool usable(const ConditionalTask& task, const WorkStamp& reader) const;

    CUgraphExec_st* const exec_;  ///< only an address: the instance may be gone
    const std::shared_ptr<CUgraph_st> graph_;
    const std::shared_ptr<const Steps> steps_;
    const std::shared_ptr<InstanceState> state_;
    const bool for_device_, uploaded_apart_;
    GraphRun* const parent_;
    const Place place_;  ///< the line of the launch
    std::map<const CUgraph_st*, Steps> bodies_;
    unsigned in_bodies_ = 0;  ///< the number of conditional nodes whose bodies contain the running kernel

    unsigned fired_ = 0;
    std::deque<std::shared_ptr<GraphRun>> children_, siblings_, tails_;
    WorkClock before_, so_far_;
};

}  // namespace kit::cpu
