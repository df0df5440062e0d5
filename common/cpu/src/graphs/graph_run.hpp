// One running launch of an instance: conditional nodes, which decide what runs, and graphs that its kernels launch.
//
// A graph that a kernel launches starts as late as the rules allow, after the nodes of the launching graph, which exposes a program that
// relies on earlier results. The checks know that it comes after the launching kernel, and after nothing else. The launching graph is
// complete when its fire-and-forget graphs are complete. Then its tail launches replace it.
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

/// The value that cudaGraphSetConditional sets. It belongs to one conditional node, whose graph has one instance.
struct Condition {
    const CUgraph_st* graph;  ///< used only as an address
    bool has_default;
    unsigned default_value;
    bool has_node = false;

    // State of the running launch:
    const GraphRun* run = nullptr;
    bool known = false;  ///< whether there is a default value, or a kernel has set one
    unsigned value = 0;
    KernelCaller set_by;  ///< the kernel thread that set it last
    bool told = false;
};
using ConditionPtr = std::shared_ptr<Condition>;

cudaGraphConditionalHandle new_condition(const CUgraph_st& graph, bool has_default, unsigned value);
/// Returns the condition of the handle; null if there is none.
ConditionPtr find_condition(cudaGraphConditionalHandle handle);

/// The state that an instance and its launches share. The instance may be destroyed before the launches end.
struct InstanceState {
    const GraphRun* active = nullptr;  ///< the launch by the host or a kernel that is not complete
    OperationPtr uploaded;             ///< null if no upload was requested since the last change
    bool uploaded_apart = false;       ///< whether a separate call has uploaded it since then
};

/// Operations that contain the running one, see PartOfWork.
using Within = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class GraphRun {
  public:
    GraphRun(CUgraphExec_st& exec, GraphRun* parent, Place place);
    ~GraphRun();
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    // The steps of a launch by the host: before the first node, at a node's turn, and after all nodes.
    void begin();
    cudaError_t kernel(const Launch& launch);
    cudaError_t device_node(CUgraphDeviceUpdatableNode_st& node);
    cudaError_t conditional(const ConditionalTask& task);
    cudaError_t end();

    // Called by a thread of its running kernel.
    cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream, Place place);
    /// Returns false if the condition does not belong to this graph.
    bool set(cudaGraphConditionalHandle handle, unsigned value, Place place);
    cudaGraphExec_t for_device() const { return for_device_ ? exec_ : nullptr; }

    /// Returns whether its kernels cannot change nodes of this instance, because the instance was not uploaded before the launch.
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

    CUgraphExec_st* const exec_;  ///< used only as an address, because the instance may be destroyed
    const std::shared_ptr<CUgraph_st> graph_;
    const std::shared_ptr<const Steps> steps_;
    const std::shared_ptr<InstanceState> state_;
    const bool for_device_, uploaded_apart_;
    GraphRun* const parent_;
    const Place place_;  ///< line of the launch
    std::map<const CUgraph_st*, Steps> bodies_;
    unsigned in_bodies_ = 0;  ///< the number of conditional nodes whose bodies contain the running kernel

    unsigned fired_ = 0;
    std::deque<std::shared_ptr<GraphRun>> children_, siblings_, tails_;
    WorkClock before_, so_far_;
};

}  // namespace kit::cpu
