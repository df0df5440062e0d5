// Converts a graph to steps. Consecutive nodes get the same row, so that vector clocks stay short.
#include "steps.hpp"

#include <algorithm>

#include "graph.hpp"

namespace kit::cpu {
namespace {

std::uint64_t last_row = std::uint64_t(1) << 32;  // number of the last row that was assigned; larger than all
                                                  // stream numbers

/// Adds the graph's nodes as steps after the steps in `begin`. Returns the last steps of the graph.
std::vector<std::size_t> flatten(const CUgraph_st& graph, const std::vector<std::size_t>& begin,
                                 std::vector<Step>& steps) {
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

/// Assigns a row to each step. A node and one of its successors share a row.
void choose_rows(std::vector<Step>& steps) {
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

}  // namespace

Steps steps_of(const CUgraph_st& graph) {
    Steps steps;
    flatten(graph, {}, steps.list);
    choose_rows(steps.list);
    steps.row = ++last_row;
    return steps;
}

}  // namespace kit::cpu
