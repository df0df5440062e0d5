// The launch tree of a family of grids: which grid happens before which other grids, and the clock with which
// a child starts.
//
// A launch is a fork: everything that the launching thread has done or acquired happens before the child.
// Every earlier sibling that the child's stream waits for also happens before the child. A tail launch comes
// after everything that its grid and the grid's other descendants do. All other pairs are unordered. In
// particular, nothing that a child does happens before its parent (there is no join).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "events.hpp"
#include "happens_before.hpp"
#include "run/work_order.hpp"

namespace kit::cpu {

/// The node of a grid, or of a copy that a kernel requested. One launch by the host is the root of each tree.
struct LaunchNode : Notes {
    struct LaunchTree* tree = nullptr;
    const LaunchNode* root = nullptr;    ///< the node of the grid that the host launched
    const LaunchNode* parent = nullptr;  ///< the node of the grid that launched this one; null for the root
    unsigned depth = 0;
    bool tail = false;         ///< whether the launch was into cudaStreamTailLaunch
    std::uint64_t stream = 0;  ///< number of the stream in device code
    std::uint64_t number = 0;  ///< number of the launch
    WorkClock before;          ///< the siblings that end before this grid starts
    VectorClock at_launch;     ///< clock of the launching thread at the time of the launch
    mutable std::uint64_t visit = 0;
    mutable const LaunchNode* next_down =
        nullptr;  ///< the child on the path to the running grid (LaunchOrder)
};
using LaunchNodePtr = std::shared_ptr<LaunchNode>;  ///< shares ownership of the whole tree

/// Return the root node for a launch by the host, and the node for a launch by a kernel.
LaunchNodePtr new_launch_tree();
LaunchNodePtr new_launch_node(const ChildLaunch& launch, VectorClock at_launch);

/// Compares the running grid with earlier grids of the same tree.
class LaunchOrder {
  public:
    explicit LaunchOrder(const LaunchNode& running);

    struct Relation {
        bool ordered = false;
        const VectorClock* at_launch =
            nullptr;  ///< the clock that covers the ordered accesses of an ancestor; its other accesses are
                      ///< unordered
    };
    Relation with(const LaunchNode& earlier);

  private:
    bool is_on_path(const LaunchNode& other);

    std::uint64_t visit_;
    const LaunchNode* marked_;  ///< the node up to which the path from the running grid is marked
};

/// Returns whether `one` is an ancestor of `other` in the launch tree.
bool is_ancestor(const LaunchNode& one, const LaunchNode& other);

/// Returns the node of the running grid; null if no kernel is running or nothing is checked.
LaunchNodePtr launch_node_now();

}  // namespace kit::cpu
