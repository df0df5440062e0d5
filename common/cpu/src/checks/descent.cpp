// The order among the grids of one family.
#include "descent.hpp"

#include <utility>

#include "run/family.hpp"

namespace kit::cpu {
namespace {

std::uint64_t last_visit = 0;

bool ended_before(const Descent& earlier, const Descent& later) {
    const auto found = later.before.find(earlier.stream);
    return found != later.before.end() && found->second >= earlier.number;
}

}  // namespace

struct FamilyTree {
    std::vector<std::unique_ptr<Descent>> all;
};

DescentPtr new_family() {
    const auto tree = std::make_shared<FamilyTree>();
    tree->all.push_back(std::make_unique<Descent>());
    Descent& root = *tree->all.back();
    root.tree = tree.get();
    root.root = &root;
    return DescentPtr(tree, &root);
}

DescentPtr new_descent(const ChildLaunch& launch, LaunchPoint seen) {
    const auto& parent = static_cast<const Descent&>(*launch.parent);
    parent.tree->all.push_back(std::make_unique<Descent>());
    Descent& child = *parent.tree->all.back();
    child.tree = parent.tree;
    child.root = parent.root;
    child.parent = &parent;
    child.depth = parent.depth + 1;
    child.tail = launch.tail;
    child.stream = launch.stream;
    child.number = launch.number;
    child.before = launch.before;
    child.seen = std::move(seen);
    return DescentPtr(launch.parent, &child);  // keeps the tree
}

DescentPtr descent_now() {
    const Family* const family = family_now();
    return family ? std::static_pointer_cast<Descent>(family->notes()) : nullptr;
}

Kin::Kin(const Descent& now) : visit_(++last_visit), marked_(&now) {
    now.visit = visit_;
    now.heir = nullptr;
}

/// Marks the line only as far up as it is asked for: chains of launches can be long.
bool Kin::on_my_line(const Descent& other) {
    while (marked_->depth > other.depth) {
        marked_->parent->heir = marked_;
        marked_ = marked_->parent;
        marked_->visit = visit_;
    }
    return other.visit == visit_;
}

Kin::Relation Kin::to(const Descent& earlier) {
    const Descent *common = &earlier, *branch = nullptr;
    for (; !on_my_line(*common); common = common->parent) branch = common;
    const Descent* const mine = common->heir;
    if (!mine) return {!branch, nullptr};  // itself, or what it launched: it comes after nothing of that
    if (mine->tail) return {true, nullptr};
    if (!branch) return {false, &mine->seen};
    return {ended_before(*branch, *mine), nullptr};
}

bool is_ancestor(const Descent& one, const Descent& other) {
    const Descent* up = &other;
    while (up && up->depth > one.depth) up = up->parent;
    return up == &one && &one != &other;
}

}  // namespace kit::cpu
