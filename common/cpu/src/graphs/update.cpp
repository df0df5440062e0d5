// Updates an instance with a graph of the same shape.
#include <algorithm>

#include "executable.hpp"
#include "memory/memory.hpp"

namespace kit::cpu {
namespace {

using Result = cudaGraphExecUpdateResult;

bool is_on_device(const void* address) {
    const Allocation* const allocation = find_allocation(address);
    return allocation && allocation->kind == MemoryKind::device;
}

/// Compares two graphs, whose nodes correspond in the order of their creation.
cudaGraphExecUpdateResultInfo compare(const CUgraph_st& now, const CUgraph_st& wanted) {
    const Result changed = cudaGraphExecUpdateErrorTopologyChanged;
    if (now.nodes.size() != wanted.nodes.size()) return {changed, nullptr, nullptr};
    number_nodes(now);
    number_nodes(wanted);
    for (std::size_t i = 0; i < now.nodes.size(); ++i) {
        const CUgraphNode_st& old = *now.nodes[i];
        CUgraphNode_st& node = *wanted.nodes[i];
        if (old.before.size() != node.before.size()) return {changed, &node, nullptr};
        for (CUgraphNode_st* earlier : node.before)
            if (std::none_of(old.before.begin(), old.before.end(),
                             [&](const CUgraphNode_st* one) { return one->index == earlier->index; }))
                return {changed, &node, earlier};
        if (const Result result = may_become(old.task, node.task); result != cudaGraphExecUpdateSuccess)
            return {result, &node, nullptr};
        const auto within = inner_graphs(old.task), others = inner_graphs(node.task);
        if (within.size() != others.size()) return {changed, &node, nullptr};
        for (std::size_t g = 0; g < within.size(); ++g) {
            const auto inside = compare(*within[g], *others[g]);
            if (inside.result != cudaGraphExecUpdateSuccess) return inside;
        }
    }
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void take_tasks(CUgraph_st& to, const CUgraph_st& from) {
    for (std::size_t i = 0; i < to.nodes.size(); ++i) {
        NodeTask& task = to.nodes[i]->task;
        const auto within = inner_graphs(task), others = inner_graphs(from.nodes[i]->task);
        for (std::size_t g = 0; g < within.size(); ++g) take_tasks(*within[g], *others[g]);
        if (within.empty()) task = from.nodes[i]->task;
    }
}

}  // namespace

cudaGraphExecUpdateResult may_become(const NodeTask& now, const NodeTask& wanted) {
    if (now.index() != wanted.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (const auto* copy = std::get_if<CopyTask>(&now)) {
        const auto& other = std::get<CopyTask>(wanted);
        const bool same_memory = is_on_device(copy->to.begin) == is_on_device(other.to.begin) &&
                                 is_on_device(copy->from.begin) == is_on_device(other.from.begin);
        const bool rows = copy->shape.height > 1 || other.shape.height > 1;
        if (!same_memory || (rows && copy->shape.height != other.shape.height))
            return cudaGraphExecUpdateErrorParametersChanged;
    }
    if (const auto* fill = std::get_if<FillTask>(&now)) {
        const Shape old = fill->shape, shape = std::get<FillTask>(wanted).shape;
        if ((old.height > 1 || shape.height > 1) && (old.height != shape.height || old.width != shape.width))
            return cudaGraphExecUpdateErrorParametersChanged;
    }
    if (const auto* launch = std::get_if<Launch>(&now))
        if (launch->cooperative != std::get<Launch>(wanted).cooperative)
            return cudaGraphExecUpdateErrorAttributesChanged;
    if (const auto* conditional = std::get_if<ConditionalTask>(&now))
        if (conditional->condition != std::get<ConditionalTask>(wanted).condition)
            return cudaGraphExecUpdateErrorNotSupported;
    if (const auto* alloc = std::get_if<AllocTask>(&now))
        if (alloc->memory != std::get<AllocTask>(wanted).memory) return cudaGraphExecUpdateErrorNotSupported;
    if (const auto* free = std::get_if<FreeTask>(&now))
        if (free->memory != std::get<FreeTask>(wanted).memory) return cudaGraphExecUpdateErrorNotSupported;
    return cudaGraphExecUpdateSuccess;
}

cudaGraphExecUpdateResultInfo update_graph(CUgraph_st& copy, const CUgraph_st& graph) {
    const cudaGraphExecUpdateResultInfo info = compare(copy, graph);
    if (info.result == cudaGraphExecUpdateSuccess) take_tasks(copy, graph);
    return info;
}

}  // namespace kit::cpu
