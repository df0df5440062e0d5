// The launch tree of a family of grids: which grids happen before which others, and what a child has acquired from its parent.
//
// A launch is a fork: everything that the launching thread has done or acquired by then happens before the child. So does every
// sibling that the child's stream has ended before. A tail launch comes after everything that its grid and that grid's other
// descendants do. All other pairs are unordered. In particular, nothing that a child does happens before its parent (there is no join).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "events.hpp"
#include "happens_before.hpp"
#include "run/work_order.hpp"

namespace kit::cpu {

/// The node of one grid, or of a copy that a kernel requested, in the tree of everything that results from one launch by the host.
struct LaunchNode : Notes {
    struct LaunchTree* tree = nullptr;
    const LaunchNode* root = nullptr;    ///< the grid that the host launched
    const LaunchNode* parent = nullptr;  ///< the grid that launched it; null: the host launched it
    unsigned depth = 0;
    bool tail = false;         ///< whether it was launched into cudaStreamTailLaunch
    std::uint64_t stream = 0;  ///< number of the device stream
    std::uint64_t number = 0;  ///< number of the launch
    WorkClock before;          ///< the siblings that end before it starts
    VectorClock at_launch;     ///< clock of the launching thread at the launch
    mutable std::uint64_t visit = 0;
    mutable const LaunchNode* next_down =
        nullptr;  ///< child on the path to the running grid, see LaunchOrder
};
using LaunchNodePtr = std::shared_ptr<LaunchNode>;  ///< keeps the whole tree alive

/// Return the node of a grid that the host launches, and of a grid that a kernel launches.
LaunchNodePtr new_launch_tree();
LaunchNodePtr new_launch_node(const ChildLaunch& launch, VectorClock at_launch);

/// Compares the running grid with grids of its tree that ran earlier.
class LaunchOrder {
  public:
    explicit LaunchOrder(const LaunchNode& running);

    struct Relation {
        bool ordered = false;
        const VectorClock* at_launch =
            nullptr;  ///< only those accesses of an ancestor are ordered that this clock covers
    };
    Relation with(const LaunchNode& earlier);

  private:
    bool is_on_path(const LaunchNode& other);

    std::uint64_t visit_;
    const LaunchNode* marked_;  ///< the path up from the running grid is marked as far as this node
};

/// Returns whether `one` is the parent of `other`, or the parent's parent, and so on.
bool is_ancestor(const LaunchNode& one, const LaunchNode& other);

/// Returns the node of the running grid; null if the running work is not a kernel, or nothing is checked.
LaunchNodePtr launch_node_now();

}  // namespace kit::cpu
