// Chooses the synchronization that would have ordered two racing accesses. A list of rules maps facts about
// the race to a fix.
#pragma once

#include <cstddef>
#include <facts/rules.hpp>

#include "happens_before.hpp"

namespace kit::cpu {

/// The facts about a race that decide which fix the report suggests.
struct RaceFacts {
    struct Side {
        bool write = false, atomic = false;
        bool put = false;   ///< whether the access belongs to a put (a copy to another PE)
        bool copy = false;  ///< whether the access belongs to an asynchronous copy
    };
    Side now, earlier;
    bool in_flight =
        false;  ///< whether the earlier access belongs to a put or a copy for which no thread has waited
    bool one_size = true;    ///< whether both accesses are atomics of the same size
    bool signalled = false;  ///< whether the reader has waited for a signal that was sent after the write
    BrokenEdge flaw =
        BrokenEdge::none;  ///< why an atomic with which the earlier thread could have released its access
                           ///< made no edge

    // Facts about two accesses in one kernel.
    bool same_work = true;
    bool same_block = true, same_line = false;
    bool same_cluster = false;  ///< whether the accesses are by two blocks of one cluster
    bool cooperative = false;   ///< whether the kernel can synchronize all of its blocks (cooperative launch)

    // Facts about accesses in two pieces of work.
    bool one_family =
        false;  ///< whether both are part of one launch by the host, and a kernel launched at least one of
                ///< them
    bool from_ancestor = false;  ///< whether the earlier kernel has launched the running one
    bool host = false;           ///< whether one of the two is host code
    bool flag_seen = false;      ///< whether the host has read a flag of the kernel with the earlier access
    bool two_devices = false, two_pes = false;
    bool in_graphs = false;  ///< whether both are nodes of graphs
    bool two_kernels = false;

    bool plain() const { return !now.atomic && !earlier.atomic; }
    bool both_atomic() const { return now.atomic && earlier.atomic; }
    bool both_write() const { return now.write && earlier.write; }
    bool puts() const { return now.put || earlier.put; }
    /// Returns whether one block writes a value that another block reads later.
    bool handed_on() const { return !same_block && earlier.write && !now.write; }
    /// Returns whether streams or events could have ordered the two pieces of work.
    bool in_streams() const {
        return !same_work && !one_family && !host && !(both_atomic() && two_devices) && !two_pes &&
               !in_graphs;
    }
};

/// One rule. A rule applies if its condition is true and no earlier rule applies.
struct OrderRule {
    bool (*applies)(const RaceFacts& facts);
    facts::Fix fix;
};

/// The rules in order. The last rule always applies.
extern const OrderRule order_rules[];
extern const std::size_t order_rule_count;

/// Returns the fix that the first matching rule suggests.
facts::Fix missing_order(const RaceFacts& facts);

}  // namespace kit::cpu
