// Instantiation and launch. A node of a launch comes after the nodes that its edges come from, and after nothing else
// but the launch's beginning: what has no edge runs in the order that the schedule chooses, and races are told.
#include "executable.hpp"

#include <algorithm>
#include <unordered_set>

#include "graph_memory.hpp"
#include "run/event.hpp"
#include "words/finding.hpp"
#include "words/graph_words.hpp"

namespace kit::cpu {
namespace {

auto& executables = *new std::unordered_set<const CUgraphExec_st*>;
std::uint64_t last_row = std::uint64_t(1) << 32;  // above all numbers of streams

using Steps = std::vector<CUgraphExec_st::Step>;

/// Adds the graph's nodes behind these steps; returns the steps that end it.
std::vector<std::size_t> flatten(const CUgraph_st& graph, const std::vector<std::size_t>& begin,
                                 Steps& steps) {
    const std::vector<CUgraphNode_st*> order = in_order(graph);
    std::vector<std::size_t> end_of(graph.nodes.size()), ends;
    for (CUgraphNode_st* node : order) {
        std::vector<std::size_t> before;
        for (const CUgraphNode_st* earlier : node->before) before.push_back(end_of[earlier->index]);
        if (before.empty()) before = begin;
        const auto* const child = std::get_if<ChildTask>(&node->task);
        if (child) {
            steps.push_back({nullptr, before});
            before = flatten(*child->graph, {steps.size() - 1}, steps);
        }
        steps.push_back({child ? nullptr : node, before});
        end_of[node->index] = steps.size() - 1;
        if (node->after.empty()) ends.push_back(steps.size() - 1);
    }
    return ends.empty() ? begin : ends;
}

/// Nodes that follow each other share a row, as long as there is one to go on with.
void choose_rows(Steps& steps) {
    constexpr std::size_t none = ~std::size_t(0);
    std::vector<std::size_t> next(steps.size(), none);
    bool first = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& before = steps[i].before;
        for (const std::size_t earlier : before) steps[earlier].is_last = false;
        const auto free =
            std::find_if(before.begin(), before.end(), [&](std::size_t b) { return next[b] == none; });
        if (free != before.end()) {
            next[*free] = i;
            steps[i].row = steps[*free].row;
        } else {
            steps[i].row = first ? 0 : ++last_row;
            first = false;
        }
    }
}

bool has_cycle(const CUgraph_st& graph) {
    if (in_order(graph).size() != graph.nodes.size()) return true;
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
        const auto* child = std::get_if<ChildTask>(&node->task);
        return child && has_cycle(*child->graph);
    });
}

/// Memory that this instance allocates and that is still there from an earlier launch.
std::vector<AllocTask> still_live(const CUgraphExec_st& exec) {
    std::vector<AllocTask> live;
    for (const auto& step : exec.steps)
        if (step.node)
            if (const auto* alloc = std::get_if<AllocTask>(&step.node->task); alloc && alloc->memory->live)
                live.push_back(*alloc);
    return live;
}

/// What the host knows about memory after it has asked for this step.
void note_memory_use(const NodeTask& task) {
    if (const auto* alloc = std::get_if<AllocTask>(&task)) alloc->memory->live = true;
    if (const auto* free = std::get_if<FreeTask>(&task)) free->memory->live = false;
}

/// Queues one step behind `after`.
OperationPtr enqueue_step(const CUgraphExec_st::Step& step, std::uint64_t row,
                          std::vector<OperationPtr> after) {
    if (!step.node || !step.node->enabled) return enqueue_node(row, Work::copy, nullptr, after);
    const NodeTask& task = step.node->task;
    if (const auto* wait = std::get_if<WaitTask>(&task))
        if (const CUevent_st* event = find_event(wait->event); event && event->recorded)
            after.push_back(event->recorded);
    OperationPtr operation = enqueue_node(row, work_of(task), runner(task), after);
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
        add_finding(graph_has_cycle(place));
        return cudaErrorInvalidValue;
    }
    if (graph.instances > 0 && has_memory_nodes(graph)) {
        add_finding(graph_has_instance(place));
        return cudaErrorInvalidValue;
    }
    auto exec = std::make_unique<CUgraphExec_st>();
    exec->copy = copy_graph(graph, false);
    exec->source = &graph;
    exec->flags = flags;
    flatten(*exec->copy, {}, exec->steps);
    choose_rows(exec->steps);
    ++graph.instances;
    executables.insert(exec.get());
    *made = exec.release();
    return cudaSuccess;
}

void destroy_executable(CUgraphExec_st* exec) {
    if (CUgraph_st* source = find_graph(exec->source)) --source->instances;
    executables.erase(exec);
    delete exec;  // work that is queued has its own copies of the tasks
}

cudaError_t launch_graph(CUgraphExec_st& exec, CUstream_st& stream, Place place) {
    const std::vector<AllocTask> left = still_live(exec);
    if (!left.empty() && !(exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)) {
        add_finding(graph_memory_not_freed(place));
        return cudaErrorInvalidValue;
    }
    enqueue_join(stream, exec.last ? std::vector{exec.last} : std::vector<OperationPtr>{});
    for (const AllocTask& alloc : left)
        enqueue(stream, Work::copy, [alloc, place] { return alloc.memory->free(place); });
    const OperationPtr begin = stream.last;
    std::vector<OperationPtr> done, ends;
    for (const CUgraphExec_st::Step& step : exec.steps) {
        std::vector<OperationPtr> after;
        for (const std::size_t earlier : step.before) after.push_back(done[earlier]);
        if (after.empty()) after.push_back(begin);
        done.push_back(enqueue_step(step, step.row ? step.row : stream.id, std::move(after)));
        if (step.is_last) ends.push_back(done.back());
    }
    exec.last = enqueue_join(stream, ends);
    return cudaSuccess;
}

namespace {

CUgraphNode_st* find_copy(const CUgraph_st& graph, const CUgraphNode_st* original) {
    for (const auto& node : graph.nodes) {
        if (node->original == original) return node.get();
        if (const auto* child = std::get_if<ChildTask>(&node->task))
            if (CUgraphNode_st* const inside = find_copy(*child->graph, original)) return inside;
    }
    return nullptr;
}

}  // namespace

CUgraphNode_st* copy_of(CUgraphExec_st& exec, const CUgraphNode_st* original) {
    return find_copy(*exec.copy, original);
}

}  // namespace kit::cpu
