// Runs a launch of a graph with conditional nodes or device launches, and decides what runs when.
#include "graph_run.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "device_nodes.hpp"
#include "executable.hpp"
#include "memory/memory.hpp"
#include "run/counters.hpp"
#include "run/family.hpp"
#include "run/schedule.hpp"
#include "run/worker.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

constexpr unsigned most_fired = 120, most_tails = 255;

GraphRun* running_run = nullptr;
auto& conditions = *new std::vector<ConditionPtr>;  // never destroyed: graphs may outlive main

void join(WorkClock& clock, const WorkClock& more) {
    for (const auto& [row, id] : more) {
        std::uint64_t& known = clock[row];
        known = std::max(known, id);
    }
}

/// Returns the order of the running operation, which its parts inherit.
WorkStamp before_parts() {
    WorkStamp at = work_now();
    at.before[at.stream] = at.id - 1;
    return at;
}

std::uint64_t Counters::*counter_of(cudaGraphConditionalNodeType type) {
    return type == cudaGraphCondTypeIf      ? &Counters::if_bodies
           : type == cudaGraphCondTypeWhile ? &Counters::while_bodies
                                            : &Counters::switch_bodies;
}

/// Returns the index of the next of `count` candidates, which the schedule chooses.
std::size_t choose(std::size_t count, Dice& dice) {
    const Order order = current_schedule().order;
    return order == Order::forward ? 0 : order == Order::reverse ? count - 1 : dice.roll() % count;
}

}  // namespace

cudaGraphConditionalHandle new_condition(const CUgraph_st& graph, bool has_default, unsigned value) {
    conditions.push_back(std::make_shared<Condition>());
    Condition& made = *conditions.back();
    made.graph = &graph;
    made.has_default = has_default;
    made.default_value = value;
    return conditions.size();
}

ConditionPtr find_condition(cudaGraphConditionalHandle handle) {
    return handle == 0 || handle > conditions.size() ? nullptr : conditions[handle - 1];
}

GraphRun* GraphRun::now() {
    return running_run;
}

GraphRun::GraphRun(CUgraphExec_st& exec, GraphRun* parent, Place place)
    : exec_(&exec),
      graph_(exec.copy),
      steps_(exec.steps),
      state_(exec.state),
      for_device_(exec.flags & cudaGraphInstantiateFlagDeviceLaunch),
      uploaded_apart_(exec.state->uploaded_apart),
      parent_(parent),
      place_(place) {}

GraphRun::~GraphRun() {
    if (state_->active == this) state_->active = nullptr;  // the launch was dropped after an error
}

/// Starts the launch: conditions get their default values, and a condition without a default has no value.
void GraphRun::begin() {
    state_->active = this;
    find_anywhere(*graph_, [this](const CUgraphNode_st& node) {
        if (const auto* task = std::get_if<ConditionalTask>(&node.task)) {
            Condition& condition = *task->condition;
            condition.run = this;
            condition.known = condition.has_default;
            condition.value = condition.default_value;
            condition.set_by.who = {};
            condition.told = false;
        }
        return false;
    });
}

cudaError_t GraphRun::kernel(const Launch& launch) {
    GraphRun* const outer = std::exchange(running_run, this);
    const Childless childless = in_bodies_    ? Childless::in_conditional_body
                                : for_device_ ? Childless::in_device_graph
                                              : Childless::no;
    const cudaError_t error = Family(launch, childless).run();
    running_run = outer;
    return error;
}

cudaError_t GraphRun::device_node(CUgraphDeviceUpdatableNode_st& node) {
    const Launch* const now = begin_device_node(node);
    return now ? kernel(Launch(*now)) : cudaSuccess;  // a copy of the launch, because its own kernel may
                                                      // change the node
}

/// Runs the steps in an order that the schedule chooses. `after` receives the operations for which a wait for
/// all steps must wait.
cudaError_t GraphRun::run_steps(const Steps& steps, const WorkClock& before, const Within& within,
                                WorkClock& after) {
    const std::vector<Step>& list = steps.list;
    std::vector<WorkClock> end(list.size());
    std::vector<std::size_t> missing(list.size());
    std::vector<std::vector<std::size_t>> frees(list.size());
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < list.size(); ++i) {
        missing[i] = list[i].before.size();
        for (const std::size_t earlier : list[i].before) frees[earlier].push_back(i);
        if (!missing[i]) ready.insert(i);
    }
    Dice dice(current_schedule().seed + steps.row);
    after = before;
    while (!ready.empty()) {
        const auto next = std::next(ready.begin(), static_cast<std::ptrdiff_t>(choose(ready.size(), dice)));
        const std::size_t i = *next;
        ready.erase(next);
        PartOfWork part{list[i].row ? list[i].row : steps.row, before, within, Work::copy, nullptr};
        for (const std::size_t earlier : list[i].before) join(part.before, end[earlier]);
        const CUgraphNode_st* const node = list[i].node;
        const cudaGraphDeviceNode_t device_node = node ? device_node_of(*node) : nullptr;
        if (node && (node->enabled || device_node)) {
            part.work = work_of(node->task);
            if (device_node)
                part.run = [this, device_node] { return this->device_node(*device_node); };
            else if (const auto* launch = std::get_if<Launch>(&node->task))
                part.run = [this, launch] { return kernel(*launch); };
            else if (const auto* task = std::get_if<ConditionalTask>(&node->task))
                part.run = [this, task] { return conditional(*task); };
            else
                part.run = runner(node->task);
        }
        WorkStamp stamp;
        if (const cudaError_t error = run_part(std::move(part), stamp)) return error;
        end[i] = std::move(stamp.before);
        join(after, end[i]);
        for (const std::size_t freed : frees[i])
            if (--missing[freed] == 0) ready.insert(freed);
    }
    return cudaSuccess;
}

// Conditional nodes.

namespace {

const char* name_of(cudaGraphConditionalNodeType type) {
    return type == cudaGraphCondTypeIf ? "IF" : type == cudaGraphCondTypeWhile ? "WHILE" : "SWITCH";
}

}  // namespace

/// Returns whether the condition has a value that was set in an order before `reader`.
bool GraphRun::usable(const ConditionalTask& task, const WorkStamp& reader) const {
    const Condition& condition = *task.condition;
    if (!condition.known) {
        add_finding(finding(facts::Rule::condition_unknown, task.place).with("type", name_of(task.type)));
        return false;
    }
    const KernelCaller& caller = condition.set_by;
    if (!caller.is_known() || work_order().ordered(caller.work, reader)) return true;
    add_finding(finding(facts::Rule::condition_not_ordered, caller.place)
                    .by(caller.who)
                    .with("type", name_of(task.type))
                    .with("made", line_of(task.place)));
    return false;
}

cudaError_t GraphRun::conditional(const ConditionalTask& task) {
    WorkStamp at = before_parts();
    Within within = at.within;
    within.emplace_back(at.stream, at.id);
    KernelTime time;
    cudaError_t error = cudaSuccess;
    ++in_bodies_;
    for (std::uint64_t rounds = 0; error == cudaSuccess && usable(task, at);) {
        const unsigned value = task.condition->value;
        const std::size_t body = task.type == cudaGraphCondTypeSwitch ? value : value == 0;
        if (body >= task.bodies.size()) break;
        const CUgraph_st& graph = *task.bodies[body];
        if (!bodies_.count(&graph)) bodies_[&graph] = steps_of(graph);
        if (!graph.nodes.empty()) count_call(counter_of(task.type), cudaSuccess);
        WorkClock after;
        error = run_steps(bodies_[&graph], at.before, within, after);
        at.before = std::move(after);
        if (task.type != cudaGraphCondTypeWhile) break;
        ++rounds;
        if (error != cudaSuccess || !time.is_over(kernel_time_limit())) continue;
        add_finding(finding(facts::Rule::endless_while, task.place)
                        .with("rounds", rounds)
                        .with("seconds", kernel_time_limit()));
        error = cudaErrorLaunchTimeout;
    }
    --in_bodies_;
    return error;
}

bool GraphRun::set(cudaGraphConditionalHandle handle, unsigned value, Place place) {
    const ConditionPtr condition = find_condition(handle);
    if (!condition || condition->run != this) return false;
    const KernelCaller caller = KernelCaller::now(place);
    KernelCaller& earlier = condition->set_by;
    if (!earlier.is_ordered_with(caller) && !std::exchange(condition->told, true))
        add_finding(finding(facts::Rule::condition_set_by_two, earlier.place, place)
                        .by(earlier.who)
                        .and_by(caller.who, where_of(running_spot(place))));
    condition->known = true;
    condition->value = value;
    earlier = caller;
    return true;
}

// Graphs that kernels launch.

cudaError_t GraphRun::launch(cudaGraphExec_t handle, cudaStream_t stream, Place place) {
    const auto refuse = [&](facts::Rule rule) {
        add_finding(finding(rule, running_spot(place), place).by(running_thread()));
        return cudaErrorInvalidValue;
    };
    CUgraphExec_st* const exec = find_executable(handle);
    const bool tail = stream == cudaStreamGraphTailLaunch;
    const bool sibling = stream == cudaStreamGraphFireAndForgetAsSibling;
    if (in_bodies_) return refuse(facts::Rule::launched_in_body);
    if (!tail && !sibling && stream != cudaStreamGraphFireAndForget)
        return refuse(facts::Rule::launched_into_no_stream);
    // In a kernel of a graph that only the host can launch, cudaGetCurrentGraphExec() returns null.
    if (!handle && !for_device_) return refuse(facts::Rule::launched_not_for_device);
    if (!exec) return refuse(facts::Rule::launched_no_instance);
    if (!(exec->flags & cudaGraphInstantiateFlagDeviceLaunch))
        return refuse(facts::Rule::launched_not_for_device);
    InstanceState& state = *exec->state;
    const bool itself = exec->state == state_;
    if (!state.uploaded || !state.uploaded->done)
        if (!itself) return refuse(facts::Rule::launched_not_uploaded);
    const auto is_it = [&](const auto& other) { return other->state_ == exec->state; };
    if (itself && tail && std::any_of(tails_.begin(), tails_.end(), is_it))
        return refuse(facts::Rule::launched_itself_twice);
    if (state.active && !(itself && tail)) return refuse(facts::Rule::launched_active);
    if (tail && tails_.size() == most_tails) return refuse(facts::Rule::launched_too_many_tails);
    if (!tail && fired_ == most_fired) return refuse(facts::Rule::launched_too_many_fired);
    if (device_graph_call_fails()) return cudaErrorMemoryAllocation;
    // A tail launch takes the place of the graph that has ended, and a sibling launch has the same parent as
    // the launching graph.
    const auto run = std::make_shared<GraphRun>(*exec, tail || sibling ? parent_ : this, place);
    run->before_ = work_now().before;
    if (!tail) ++fired_;
    (tail ? tails_ : sibling ? (parent_ ? parent_->children_ : siblings_) : children_).push_back(run);
    if (!itself) state.active = run.get();
    count_call(&Counters::device_graph_launches, cudaSuccess);
    if (tail) count_call(&Counters::device_graph_tails, cudaSuccess);
    return cudaSuccess;
}

cudaError_t GraphRun::run_fired(const Within& within, KernelTime& time, unsigned& launches) {
    Dice dice(current_schedule().seed + steps_->row);
    while (!children_.empty()) {
        const auto next = children_.begin() + static_cast<std::ptrdiff_t>(choose(children_.size(), dice));
        const std::shared_ptr<GraphRun> child = *next;
        children_.erase(next);
        child->begin();
        cudaError_t error = child->run_steps(*child->steps_, child->before_, within, child->so_far_);
        if (error == cudaSuccess) error = complete(child, within, time, ++launches);
        if (error != cudaSuccess) return error;
        join(so_far_, child->so_far_);
    }
    return cudaSuccess;
}

/// Completes a graph after all of its nodes have run. Afterwards, `so_far_` is the joined clock of the whole
/// graph.
cudaError_t GraphRun::complete(std::shared_ptr<GraphRun> run, const Within& within, KernelTime& time,
                               unsigned& launches) {
    const std::shared_ptr<GraphRun> first = run;
    // Tail launches, with one queue for each level of launches.
    std::vector<std::deque<std::shared_ptr<GraphRun>>> waiting;
    for (;;) {
        if (const cudaError_t error = run->run_fired(within, time, launches)) return error;
        if (run->state_->active == run.get()) run->state_->active = nullptr;
        if (!run->tails_.empty()) waiting.push_back(std::move(run->tails_));
        if (run != first) join(first->so_far_, run->so_far_);
        if (waiting.empty()) break;
        const WorkClock ended = run->so_far_;
        run = waiting.back().front();
        waiting.back().pop_front();
        if (waiting.back().empty()) waiting.pop_back();
        join(run->before_, ended);
        run->begin();
        if (const cudaError_t error = run->run_steps(*run->steps_, run->before_, within, run->so_far_))
            return error;
        ++launches;
        if (!time.is_over(kernel_time_limit())) continue;
        add_finding(finding(facts::Rule::endless_tails, first->place_)
                        .with("launches", launches)
                        .with("seconds", kernel_time_limit()));
        return cudaErrorLaunchTimeout;
    }
    return cudaSuccess;
}

cudaError_t GraphRun::end() {
    cudaError_t error = cudaSuccess;
    if (!children_.empty() || !tails_.empty() || !siblings_.empty()) {
        const DeviceAccess access;
        const WorkStamp at = before_parts();
        const Within within = {{at.stream, at.id}};
        so_far_ = at.before;
        unsigned launches = 0;
        const std::shared_ptr<GraphRun> self(std::shared_ptr<GraphRun>(), this);
        KernelTime time;
        error = complete(self, within, time, launches);
        children_ = std::move(siblings_);
        if (error == cudaSuccess) error = run_fired(within, time, launches);
    }
    if (state_->active == this) state_->active = nullptr;
    find_anywhere(*graph_, [](const CUgraphNode_st& node) {
        if (const auto* task = std::get_if<ConditionalTask>(&node.task)) task->condition->run = nullptr;
        return false;
    });
    return error;
}

}  // namespace kit::cpu
