// Instantiates and launches graphs. In a launch, a node waits for the nodes at the start of its edges, and
// otherwise only for the start of the launch. The schedule decides in which order nodes without edges between
// them run, and races are reported.
#include "executable.hpp"

#include <algorithm>
#include <unordered_set>

#include "device_nodes.hpp"
#include "graph_memory.hpp"
#include "memory/leaks.hpp"
#include "memory/memory.hpp"
#include "run/event.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

auto& executables = *new std::unordered_set<const CUgraphExec_st*>;
bool has_cycle(const CUgraph_st& graph) {
    if (in_order(graph).size() != graph.nodes.size()) return true;
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
        const auto within = inner_graphs(node->task);
        return std::any_of(within.begin(), within.end(), [](const auto& one) { return has_cycle(*one); });
    });
}

/// Returns the memory of the instance's allocation nodes that an earlier launch has left allocated.
std::vector<AllocTask> still_live(const CUgraphExec_st& exec) {
    std::vector<AllocTask> live;
    for (const auto& step : exec.steps->list)
        if (step.node)
            if (const auto* alloc = std::get_if<AllocTask>(&step.node->task); alloc && alloc->memory->live)
                live.push_back(*alloc);
    return live;
}

/// Records what the host knows about a graph's memory after queueing this step.
void note_memory_use(const NodeTask& task) {
    if (const auto* alloc = std::get_if<AllocTask>(&task)) alloc->memory->live = true;
    if (const auto* free = std::get_if<FreeTask>(&task)) free->memory->live = false;
}

/// Returns the function that runs the node. `run` evaluates conditions, and it knows the graph in which a
/// kernel runs.
std::function<cudaError_t()> runner_in(const std::shared_ptr<GraphRun>& run, const NodeTask& task) {
    if (const auto* launch = std::get_if<Launch>(&task); launch && launch->device_node)
        return [run, node = launch->device_node] { return run->device_node(*node); };
    if (const auto* launch = std::get_if<Launch>(&task))
        return [run, launch = *launch] { return run->kernel(launch); };
    if (const auto* conditional = std::get_if<ConditionalTask>(&task))
        return [run, conditional = *conditional] { return run->conditional(conditional); };
    return runner(task);
}

/// Returns the first node that is not allowed in a graph for device launch; null if there is none.
const CUgraphNode_st* not_for_device(const CUgraph_st& graph) {
    return find_anywhere(graph, [](const CUgraphNode_st& node) {
        if (const auto* copy = std::get_if<CopyTask>(&node.task))
            return !find_allocation(copy->to.begin) || !find_allocation(copy->from.begin);
        return !std::holds_alternative<Launch>(node.task) && !std::holds_alternative<FillTask>(node.task) &&
               !std::holds_alternative<ChildTask>(node.task);
    });
}

bool may_be_in_body(const CUgraphNode_st& node) {
    return std::holds_alternative<Launch>(node.task) || std::holds_alternative<EmptyTask>(node.task) ||
           std::holds_alternative<CopyTask>(node.task) || std::holds_alternative<FillTask>(node.task) ||
           std::holds_alternative<ChildTask>(node.task) || std::holds_alternative<ConditionalTask>(node.task);
}

/// Returns the first node that is not allowed in the body of a conditional node; null if there is none.
const CUgraphNode_st* not_for_body(const CUgraph_st& graph) {
    const CUgraphNode_st* found = nullptr;
    find_anywhere(graph, [&](const CUgraphNode_st& node) {
        if (const auto* task = std::get_if<ConditionalTask>(&node.task))
            for (const auto& body : task->bodies)
                if (!found)
                    found =
                        find_anywhere(*body, [](const CUgraphNode_st& one) { return !may_be_in_body(one); });
        return found != nullptr;
    });
    return found;
}

bool does_anything(const CUgraph_st& graph) {
    return find_anywhere(
        graph, [](const CUgraphNode_st& node) { return !std::holds_alternative<ChildTask>(node.task); });
}

/// Returns success if the graph can be instantiated for device launch. If it cannot, reports the reason and
/// returns an error.
cudaError_t check_for_device(const CUgraph_st& graph, unsigned long long flags, Place place) {
    const CUgraphNode_st* const wrong = not_for_device(graph);
    if (!wrong && does_anything(graph) && !(flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
        return cudaSuccess;
    if (wrong)
        add_finding(about_node(facts::Rule::not_in_device_graph, wrong->task, place));
    else
        add_finding(finding(flags & cudaGraphInstantiateFlagAutoFreeOnLaunch
                                ? facts::Rule::device_graph_frees
                                : facts::Rule::device_graph_empty,
                            place));
    return cudaErrorInvalidValue;
}

/// Queues one step of a launch, to run after the operations in `after`.
OperationPtr enqueue_step(const Step& step, const std::shared_ptr<GraphRun>& run, std::uint64_t row,
                          std::vector<OperationPtr> after) {
    if (!step.node || !(step.node->enabled || device_node_of(*step.node)))
        return enqueue_node(row, {}, nullptr, after);
    const NodeTask& task = step.node->task;
    if (const auto* wait = std::get_if<WaitTask>(&task))
        if (const CUevent_st* event = find_event(wait->event); event && event->recorded)
            after.push_back(event->recorded);
    const auto* const meeting = std::get_if<MeetingTask>(&task);
    OperationPtr operation = meeting ? enqueue_part_of_graph(row, label_of(task), meeting->part(), after)
                                     : enqueue_node(row, label_of(task), runner_in(run, task), after);
    if (const auto* record = std::get_if<RecordTask>(&task))
        if (CUevent_st* event = find_event(record->event)) event->recorded = operation;
    note_memory_use(task);
    return operation;
}

}  // namespace

CUgraphExec_st* find_executable(cudaGraphExec_t handle) {
    return executables.count(handle) ? handle : nullptr;
}

cudaError_t instantiate(CUgraph_st& graph, unsigned long long flags, Place place, CUgraphExec_st** made) {
    if (has_cycle(graph)) {
        add_finding(finding(facts::Rule::graph_has_cycle, place));
        return cudaErrorInvalidValue;
    }
    if (graph.instances > 0 && has_memory_nodes(graph)) {
        add_finding(finding(facts::Rule::graph_has_instance, place));
        return cudaErrorInvalidValue;
    }
    if (graph.instances > 0 && has_conditional_nodes(graph)) {
        add_finding(finding(facts::Rule::conditional_has_instance, place));
        return cudaErrorInvalidValue;
    }
    if (graph.instances > 0 && has_device_nodes(graph)) {
        add_finding(finding(facts::Rule::updatable_second_instance, place));
        return cudaErrorInvalidValue;
    }
    if (const CUgraphNode_st* const wrong = not_for_body(graph)) {
        add_finding(about_node(facts::Rule::not_in_body, wrong->task, place));
        return cudaErrorInvalidValue;
    }
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        if (const cudaError_t error = check_for_device(graph, flags, place)) return error;
    auto exec = std::make_unique<CUgraphExec_st>();
    exec->copy = copy_graph(graph, false);
    exec->source = &graph;
    exec->flags = flags;
    exec->born = next_birth();
    exec->made_at = place;
    exec->steps = std::make_shared<Steps>(steps_of(*exec->copy));
    exec->state = std::make_shared<InstanceState>();
    adopt_device_nodes(*exec->copy, exec->state.get());
    ++graph.instances;
    executables.insert(exec.get());
    *made = exec.release();
    return cudaSuccess;
}

void destroy_executable(CUgraphExec_st* exec) {
    if (CUgraph_st* source = find_graph(exec->source)) --source->instances;
    executables.erase(exec);
    delete exec;  // queued work has its own copies of the tasks
}

std::vector<const CUgraphExec_st*> live_executables() {
    return {executables.begin(), executables.end()};
}

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place) {
    const std::vector<AllocTask> left = still_live(exec);
    if (!left.empty() && !(exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)) {
        add_finding(finding(facts::Rule::graph_memory_not_freed, place));
        return cudaErrorInvalidValue;
    }
    enqueue_join(stream, exec.last ? std::vector{exec.last} : std::vector<OperationPtr>{});
    for (const AllocTask& alloc : left)
        enqueue(stream, {WorkKind::memory, "", place}, [alloc, place] { return alloc.memory->free(place); });
    const auto run = std::make_shared<GraphRun>(exec, nullptr, place);
    const OperationPtr begin = enqueue(stream, {}, [run, hand_over = hand_to_device(*exec.copy)] {
        hand_over();
        run->begin();
        return cudaSuccess;
    });
    exec.state->uploaded = begin;
    std::vector<OperationPtr> done, ends;
    for (const Step& step : exec.steps->list) {
        std::vector<OperationPtr> after;
        for (const std::size_t earlier : step.before) after.push_back(done[earlier]);
        if (after.empty()) after.push_back(begin);
        done.push_back(enqueue_step(step, run, step.row ? step.row : stream.id, std::move(after)));
        if (step.is_last) ends.push_back(done.back());
    }
    exec.last = enqueue_join(stream, ends);
    exec.last->run = [run] { return run->end(); };
    return cudaSuccess;
}

namespace {

CUgraphNode_st* find_copy(const CUgraph_st& graph, const CUgraphNode_st* original) {
    for (const auto& node : graph.nodes) {
        if (node->original == original) return node.get();
        for (const auto& within : inner_graphs(node->task))
            if (CUgraphNode_st* const inside = find_copy(*within, original)) return inside;
    }
    return nullptr;
}

}  // namespace

CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original) {
    return find_copy(*exec.copy, original);
}

}  // namespace kit::cpu
