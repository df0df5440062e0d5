// Grids that grids have launched: which of them are ordered with each other, and what a child may see of its parent.
//
// A child comes after what its launching thread had done or heard of when it launched the child, and after the siblings
// that its stream has ended before it. A tail launch comes after everything that its grid and that grid's other
// descendants did. Nothing else is ordered; above all, a parent comes after nothing that a child does.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "events.hpp"
#include "happens_before.hpp"
#include "run/work_order.hpp"

namespace kit::cpu {

/// The place of one grid, or of a copy that a kernel asked for, among those that one launch by the host has brought
/// about.
struct Descent : Notes {
    struct FamilyTree* tree = nullptr;
    const Descent* root = nullptr;    ///< launched by the host
    const Descent* parent = nullptr;  ///< whose kernel launched it; null: the host did
    unsigned depth = 0;
    bool tail = false;         ///< launched into cudaStreamTailLaunch
    std::uint64_t stream = 0;  ///< number of the device stream
    std::uint64_t number = 0;  ///< of the launch
    WorkClock before;          ///< which siblings have ended before it begins
    LaunchPoint seen;          ///< what the launching thread had seen
    mutable std::uint64_t visit = 0;
    mutable const Descent* heir = nullptr;  ///< the child on the way to the one that runs now, see Kin
};
using DescentPtr = std::shared_ptr<Descent>;  ///< keeps the whole family

/// The place of a grid that the host launches, and of what a kernel launches.
DescentPtr new_family();
DescentPtr new_descent(const ChildLaunch& launch, LaunchPoint seen);

/// How the one that runs now is related to those of its family that ran before.
class Kin {
  public:
    explicit Kin(const Descent& now);

    struct Relation {
        bool ordered = false;
        const LaunchPoint* seen = nullptr;  ///< of an ancestor's work only what this covers is ordered
    };
    Relation to(const Descent& earlier);

  private:
    bool on_my_line(const Descent& other);

    std::uint64_t visit_;
    const Descent* marked_;  ///< the line from the one that runs now is marked up to here
};

/// Is `one` the parent of `other`, or the parent's parent, ...?
bool is_ancestor(const Descent& one, const Descent& other);

/// The member of a family that runs now; null when the running work is no kernel, or nothing is checked.
DescentPtr descent_now();

}  // namespace kit::cpu
