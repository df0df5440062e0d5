// One launch of an instance while it runs: its conditional nodes, and the graphs that its kernels launch.
//
// A graph that a kernel launches starts as late as the rules of CUDA allow, after the nodes of the launching
// graph. The late start exposes a program that relies on earlier results. The checks treat the launched graph
// as ordered only after the launching kernel. The launching graph is complete when the graphs in its
// fire-and-forget launches are complete. After that, its tail launches run in its place.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "device_nodes.hpp"
#include "run/stream.hpp"
#include "run/watchdog.hpp"
#include "run/work_order.hpp"
#include "task.hpp"

struct CUgraphExec_st;
struct CUgraph_st;
struct CUgraphNode_st;

namespace kit::cpu {

// A graph as a list of steps: the operations that a launch runs, each with its predecessors.

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

class GraphRun;

/// The value that cudaGraphSetConditional sets. The value belongs to one conditional node, in a graph with
/// one instance.
struct Condition {
    const CUgraph_st* graph;  ///< only its address is used
    bool has_default;
    unsigned default_value;
    bool has_node = false;

    // The state in the running launch:
    const GraphRun* run = nullptr;
    bool known = false;  ///< whether there is a value: a default, or one that a kernel has set
    unsigned value = 0;
    KernelCaller set_by;  ///< the thread that set the value last
    bool told = false;
};
using ConditionPtr = std::shared_ptr<Condition>;

cudaGraphConditionalHandle new_condition(const CUgraph_st& graph, bool has_default, unsigned value);
/// Returns the condition that belongs to the handle; null if there is none.
ConditionPtr find_condition(cudaGraphConditionalHandle handle);

/// The state that an instance and its launches share. The instance may be destroyed before the launches end.
struct InstanceState {
    const GraphRun* active = nullptr;  ///< the incomplete launch of this instance, by the host or by a kernel
    OperationPtr uploaded;             ///< the upload after the last change; null if none was requested
    bool uploaded_apart = false;       ///< whether a separate call of cudaGraphUpload has uploaded the
                                       ///< instance since the last change
};

/// The operations of which the running one is a part (see PartOfWork).
using Within = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class GraphRun {
  public:
    GraphRun(CUgraphExec_st& exec, GraphRun* parent, Place place);
    ~GraphRun();
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    // Steps of a launch by the host: before the first node, at the turn of each node, and after all nodes.
    void begin();
    cudaError_t kernel(const Launch& launch);
    cudaError_t device_node(CUgraphDeviceUpdatableNode_st& node);
    cudaError_t conditional(const ConditionalTask& task);
    cudaError_t end();

    // Called by a thread of the launch's running kernel.
    cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream, Place place);
    /// Sets a condition. Returns false if the condition does not belong to this graph.
    bool set(cudaGraphConditionalHandle handle, unsigned value, Place place);
    cudaGraphExec_t for_device() const { return for_device_ ? exec_ : nullptr; }

    /// Returns whether kernels of this launch cannot change nodes of `instance`, because it was not uploaded
    /// before the launch.
    bool lacks_upload(const InstanceState* instance) const {
        return instance == state_.get() && !uploaded_apart_;
    }

    /// Returns the launch whose kernel is running; null if the running kernel is not in a graph.
    static GraphRun* now();

  private:
    cudaError_t run_steps(const Steps& steps, const WorkClock& before, const Within& within,
                          WorkClock& after);
    cudaError_t run_fired(const Within& within, KernelTime& time, unsigned& launches);
    static cudaError_t complete(std::shared_ptr<GraphRun> run, const Within& within, KernelTime& time,
                                unsigned& launches);
    bool usable(const ConditionalTask& task, const WorkStamp& reader) const;

    CUgraphExec_st* const exec_;  ///< only its address is used, because the instance may be destroyed
    const std::shared_ptr<CUgraph_st> graph_;
    const std::shared_ptr<const Steps> steps_;
    const std::shared_ptr<InstanceState> state_;
    const bool for_device_, uploaded_apart_;
    GraphRun* const parent_;
    const Place place_;  ///< line of the launch
    std::map<const CUgraph_st*, Steps> bodies_;
    unsigned in_bodies_ = 0;  ///< number of nested conditional nodes whose bodies contain the running kernel

    unsigned fired_ = 0;
    std::deque<std::shared_ptr<GraphRun>> children_, siblings_, tails_;
    WorkClock before_, so_far_;
};

}  // namespace kit::cpu
