// The rules for the suggested fix of a race, from special cases to general ones.
#include "missing_order.hpp"

#include <iterator>

namespace kit::cpu {

using Facts = RaceFacts;

const OrderRule order_rules[] = {
    // Puts.
    {[](const Facts& f) { return f.now.put && f.earlier.put && f.both_write() && f.plain(); },
     Missing::one_put},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.same_work && !f.earlier.write; },
     Missing::puts_source},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.plain() && f.signalled; },
     Missing::fence_behind_signal},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.plain(); }, Missing::puts_end},

    // Asynchronous copies, atomics of two sizes, and signals, if no put is involved.
    {[](const Facts& f) { return !f.puts() && f.in_flight; }, Missing::copys_end},
    {[](const Facts& f) { return !f.puts() && f.both_atomic() && !f.one_size; }, Missing::one_size},
    {[](const Facts& f) { return !f.puts() && f.signalled && !f.now.atomic; }, Missing::fence_behind_signal},
    {[](const Facts& f) { return f.now.copy && f.plain() && f.same_work && f.same_block; },
     Missing::copys_begin},

    // Two pieces of work.
    {[](const Facts& f) { return !f.same_work && f.one_family && !f.from_ancestor; },
     Missing::stream_of_siblings},
    {[](const Facts& f) { return !f.same_work && f.one_family && f.now.write; }, Missing::parents_patience},
    {[](const Facts& f) { return !f.same_work && f.one_family; }, Missing::sight_of_child},
    {[](const Facts& f) { return !f.same_work && f.host; }, Missing::waiting_host},
    {[](const Facts& f) { return !f.same_work && f.both_atomic() && f.two_devices; }, Missing::system_scope},
    {[](const Facts& f) { return !f.same_work && f.two_pes; }, Missing::signal},
    {[](const Facts& f) { return !f.same_work && f.in_graphs; }, Missing::edge},
    {[](const Facts& f) { return f.in_streams() && f.two_kernels; }, Missing::stream_of_kernels},
    {[](const Facts& f) { return f.in_streams(); }, Missing::stream},

    // One kernel: half of a release/acquire edge is missing.
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::no_release; }, Missing::release},
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::narrow_release; },
     Missing::wider_release},
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::no_acquire; }, Missing::acquire},
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::narrow_acquire; },
     Missing::wider_acquire},

    // One kernel: atomics.
    {[](const Facts& f) { return f.both_atomic(); }, Missing::wider_scope},
    {[](const Facts& f) { return !f.plain() && f.handed_on(); }, Missing::fences_around_atomic},
    {[](const Facts& f) { return !f.plain() && f.same_block && !f.same_line; },
     Missing::barrier_beside_atomic},
    {[](const Facts& f) { return !f.plain(); }, Missing::second_atomic},

    // One kernel: plain accesses by two blocks, then by two threads of one block.
    {[](const Facts& f) { return !f.same_block && f.same_cluster; }, Missing::cluster_barrier},
    {[](const Facts& f) { return f.handed_on() && !f.same_line; }, Missing::message},
    {[](const Facts& f) { return !f.same_block; }, Missing::own_elements},
    {[](const Facts& f) { return f.same_line && f.both_write(); }, Missing::own_place},
    {[](const Facts&) { return true; }, Missing::barrier},
};

const std::size_t order_rule_count = std::size(order_rules);

Missing missing_order(const RaceFacts& facts) {
    const OrderRule* rule = order_rules;
    while (!rule->applies(facts)) ++rule;
    return rule->missing;
}

}  // namespace kit::cpu
