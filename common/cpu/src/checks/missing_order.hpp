// Chooses the synchronization that would have ordered two racing accesses: rules from the facts to the suggested fix.
#pragma once

#include <cstddef>
#include <facts/rules.hpp>

#include "happens_before.hpp"

namespace kit::cpu {

/// The facts about a race that decide which fix is suggested.
struct RaceFacts {
    struct Side {
        bool write = false, atomic = false;
        bool put = false;   ///< the access belongs to a put to another PE
        bool copy = false;  ///< the access belongs to an asynchronous copy
    };
    Side now, earlier;
    bool in_flight =
        false;  ///< the earlier access belongs to a put or an asynchronous copy that has not been waited for
    bool one_size = true;    ///< both are atomics of the same size
    bool signalled = false;  ///< the reader has waited for a signal that was sent after the write
    BrokenEdge flaw =
        BrokenEdge::none;  ///< flaw of an atomic by which the earlier thread could have released its access

    // In one kernel.
    bool same_work = true;
    bool same_block = true, same_line = false;
    bool same_cluster = false;  ///< two blocks of one cluster
    bool cooperative = false;   ///< all blocks of the kernel can meet

    // Between two pieces of work.
    bool one_family =
        false;  ///< both result from one launch by the host, and at least one from a launch by a kernel
    bool from_ancestor = false;  ///< the earlier kernel has launched the running one
    bool host = false;           ///< one of the two is host code
    bool two_devices = false, two_pes = false;
    bool in_graphs = false;  ///< both are nodes of graphs
    bool two_kernels = false;

    bool plain() const { return !now.atomic && !earlier.atomic; }
    bool both_atomic() const { return now.atomic && earlier.atomic; }
    bool both_write() const { return now.write && earlier.write; }
    bool puts() const { return now.put || earlier.put; }
    /// Returns whether one block writes a value that another block reads later.
    bool handed_on() const { return !same_block && earlier.write && !now.write; }
    /// Returns whether only the order of streams could have ordered the two.
    bool in_streams() const {
        return !same_work && !one_family && !host && !(both_atomic() && two_devices) && !two_pes &&
               !in_graphs;
    }
};

/// A rule applies if no earlier rule does.
struct OrderRule {
    bool (*applies)(const RaceFacts& facts);
    facts::Fix fix;
};

/// The rules in order. The last one always applies.
extern const OrderRule order_rules[];
extern const std::size_t order_rule_count;

/// Returns the fix that the first matching rule suggests.
facts::Fix missing_order(const RaceFacts& facts);

}  // namespace kit::cpu
