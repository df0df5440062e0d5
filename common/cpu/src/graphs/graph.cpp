// Graphs: their nodes, edges and copies, and the handles that exist.
#include "graph.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

#include "memory/leaks.hpp"

namespace {

// never destroyed, because graphs may outlive main
auto& graphs = *new std::unordered_set<const CUgraph_st*>;
auto& nodes_alive = *new std::unordered_set<const CUgraphNode_st*>;

}  // namespace

CUgraph_st::CUgraph_st(bool public_handles) : public_handles(public_handles) {
    if (public_handles) graphs.insert(this);
}

CUgraph_st::~CUgraph_st() {
    graphs.erase(this);
    for (const auto& node : nodes) nodes_alive.erase(node.get());
}

namespace kit::cpu {

CUgraph_st* find_graph(cudaGraph_t handle) {
    return graphs.count(handle) ? handle : nullptr;
}

CUgraphNode_st* find_node(cudaGraphNode_t handle) {
    return nodes_alive.count(handle) ? handle : nullptr;
}

CUgraph_st* publish(std::unique_ptr<CUgraph_st> graph, Place place) {
    graph->born = next_birth();
    graph->made_at = place;
    return graph.release();
}

std::vector<const CUgraph_st*> live_graphs() {
    std::vector<const CUgraph_st*> owned;
    std::copy_if(graphs.begin(), graphs.end(), std::back_inserter(owned),
                 [](const CUgraph_st* graph) { return graph->born > 0 && !graph->embedded; });
    return owned;
}

void destroy_graph(CUgraph_st* graph) {
    delete graph;
}

CUgraphNode_st* add_node(CUgraph_st& graph, const std::vector<CUgraphNode_st*>& before, NodeTask task) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->graph = &graph;
    node->task = std::move(task);
    for (const auto& inner : inner_graphs(node->task)) inner->embedded = true;
    if (graph.public_handles) nodes_alive.insert(node.get());
    graph.nodes.push_back(std::move(node));
    CUgraphNode_st* const added = graph.nodes.back().get();
    for (CUgraphNode_st* earlier : before) add_edge(*earlier, *added);
    return added;
}

void add_edge(CUgraphNode_st& from, CUgraphNode_st& to) {
    from.after.push_back(&to);
    to.before.push_back(&from);
}

bool has_edge(const CUgraphNode_st& from, const CUgraphNode_st& to) {
    return std::find(from.after.begin(), from.after.end(), &to) != from.after.end();
}

bool remove_edge(CUgraphNode_st& from, CUgraphNode_st& to) {
    if (!has_edge(from, to)) return false;
    from.after.erase(std::find(from.after.begin(), from.after.end(), &to));
    to.before.erase(std::find(to.before.begin(), to.before.end(), &from));
    return true;
}

void remove_node(CUgraphNode_st* node) {
    while (!node->before.empty()) remove_edge(*node->before.back(), *node);
    while (!node->after.empty()) remove_edge(*node, *node->after.back());
    nodes_alive.erase(node);
    auto& nodes = node->graph->nodes;
    nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](auto& one) { return one.get() == node; }));
}

void number_nodes(const CUgraph_st& graph) {
    std::size_t index = 0;
    for (const auto& node : graph.nodes) node->index = index++;
}

std::vector<CUgraphNode_st*> in_order(const CUgraph_st& graph) {
    number_nodes(graph);
    std::vector<std::size_t> waits_for;
    std::set<std::size_t> ready;
    for (const auto& node : graph.nodes) {
        waits_for.push_back(node->before.size());
        if (node->before.empty()) ready.insert(node->index);
    }
    std::vector<CUgraphNode_st*> order;
    while (!ready.empty()) {
        CUgraphNode_st* const next = graph.nodes[*ready.begin()].get();
        ready.erase(ready.begin());
        order.push_back(next);
        for (const CUgraphNode_st* later : next->after)
            if (--waits_for[later->index] == 0) ready.insert(later->index);
    }
    return order;
}

std::unique_ptr<CUgraph_st> copy_graph(const CUgraph_st& graph, bool public_handles) {
    auto copy = std::make_unique<CUgraph_st>(public_handles);
    number_nodes(graph);
    for (const auto& node : graph.nodes) {
        NodeTask task = node->task;
        if (auto* child = std::get_if<ChildTask>(&task))
            child->graph = copy_graph(*child->graph, public_handles);
        if (auto* conditional = std::get_if<ConditionalTask>(&task))
            for (auto& body : conditional->bodies) body = copy_graph(*body, public_handles);
        CUgraphNode_st* const twin = add_node(*copy, {}, std::move(task));
        twin->original = node.get();
        twin->enabled = node->enabled;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const CUgraphNode_st* earlier : graph.nodes[i]->before)
            copy->nodes[i]->before.push_back(copy->nodes[earlier->index].get());
        for (const CUgraphNode_st* later : graph.nodes[i]->after)
            copy->nodes[i]->after.push_back(copy->nodes[later->index].get());
    }
    return copy;
}

std::vector<std::shared_ptr<CUgraph_st>> inner_graphs(const NodeTask& task) {
    if (const auto* child = std::get_if<ChildTask>(&task)) return {child->graph};
    if (const auto* conditional = std::get_if<ConditionalTask>(&task)) return conditional->bodies;
    return {};
}

const CUgraphNode_st* find_anywhere(const CUgraph_st& graph,
                                    const std::function<bool(const CUgraphNode_st&)>& is) {
    for (const auto& node : graph.nodes) {
        if (is(*node)) return node.get();
        for (const auto& inner : inner_graphs(node->task))
            if (const CUgraphNode_st* const found = find_anywhere(*inner, is)) return found;
    }
    return nullptr;
}

bool belongs_to(const CUgraph_st& graph, const CUgraph_st* whole) {
    const CUgraph_st* up = &graph;
    while (up && up != whole) up = up->outer;
    return up != nullptr;
}

bool has_memory_nodes(const CUgraph_st& graph) {
    return find_anywhere(graph, [](const CUgraphNode_st& node) {
        return std::holds_alternative<AllocTask>(node.task) || std::holds_alternative<FreeTask>(node.task);
    });
}

bool has_conditional_nodes(const CUgraph_st& graph) {
    return find_anywhere(
        graph, [](const CUgraphNode_st& node) { return std::holds_alternative<ConditionalTask>(node.task); });
}

}  // namespace kit::cpu
