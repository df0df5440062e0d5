// The tree of launches by kernels, and the order of two of its nodes.
#include "launch_tree.hpp"

#include <utility>

#include "run/family.hpp"

namespace kit::cpu {
namespace {

std::uint64_t last_visit = 0;

bool ended_before(const LaunchNode& earlier, const LaunchNode& later) {
    const auto found = later.before.find(earlier.stream);
    return found != later.before.end() && found->second >= earlier.number;
}

}  // namespace

struct LaunchTree {
    std::vector<std::unique_ptr<LaunchNode>> all;
};

LaunchNodePtr new_launch_tree() {
    const auto tree = std::make_shared<LaunchTree>();
    tree->all.push_back(std::make_unique<LaunchNode>());
    LaunchNode& root = *tree->all.back();
    root.tree = tree.get();
    root.root = &root;
    return LaunchNodePtr(tree, &root);
}

LaunchNodePtr new_launch_node(const ChildLaunch& launch, VectorClock at_launch) {
    const auto& parent = static_cast<const LaunchNode&>(*launch.parent);
    parent.tree->all.push_back(std::make_unique<LaunchNode>());
    LaunchNode& child = *parent.tree->all.back();
    child.tree = parent.tree;
    child.root = parent.root;
    child.parent = &parent;
    child.depth = parent.depth + 1;
    child.tail = launch.tail;
    child.stream = launch.stream;
    child.number = launch.number;
    child.before = launch.before;
    child.at_launch = std::move(at_launch);
    return LaunchNodePtr(launch.parent, &child);  // shares ownership with the parent, so the pointer keeps
                                                  // the whole tree alive
}

LaunchNodePtr launch_node_now() {
    const Family* const family = family_now();
    return family ? std::static_pointer_cast<LaunchNode>(family->notes()) : nullptr;
}

LaunchOrder::LaunchOrder(const LaunchNode& running) : visit_(++last_visit), marked_(&running) {
    running.visit = visit_;
    running.next_down = nullptr;
}

/// Returns whether the node is on the path from the running grid to the root. Marks this path only as far as
/// necessary, because chains of launches can be long.
bool LaunchOrder::is_on_path(const LaunchNode& other) {
    while (marked_->depth > other.depth) {
        marked_->parent->next_down = marked_;
        marked_ = marked_->parent;
        marked_->visit = visit_;
    }
    return other.visit == visit_;
}

LaunchOrder::Relation LaunchOrder::with(const LaunchNode& earlier) {
    const LaunchNode *common = &earlier, *branch = nullptr;
    for (; !is_on_path(*common); common = common->parent) branch = common;
    const LaunchNode* const mine = common->next_down;
    if (!mine)
        // `earlier` is the running grid itself, or a descendant, which does not happen before it.
        return {!branch, nullptr};
    if (mine->tail) return {true, nullptr};
    if (!branch) return {false, &mine->at_launch};
    return {ended_before(*branch, *mine), nullptr};
}

bool is_ancestor(const LaunchNode& one, const LaunchNode& other) {
    const LaunchNode* up = &other;
    while (up && up->depth > one.depth) up = up->parent;
    return up == &one && &one != &other;
}

}  // namespace kit::cpu
