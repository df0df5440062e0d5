// The rules that choose the fix that a report about a race suggests. Special rules come first.
#include "missing_order.hpp"

#include <iterator>

namespace kit::cpu {

using Facts = RaceFacts;
using facts::Fix;

const OrderRule order_rules[] = {
    // Rules for puts.
    {[](const Facts& f) { return f.now.put && f.earlier.put && f.both_write() && f.plain(); }, Fix::one_put},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.same_work && !f.earlier.write; },
     Fix::puts_source},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.plain() && f.signalled; },
     Fix::fence_behind_signal},
    {[](const Facts& f) { return f.earlier.put && f.in_flight && f.plain(); }, Fix::puts_end},

    // Rules for asynchronous copies, atomics of two sizes, and signals, if no put is involved.
    {[](const Facts& f) { return !f.puts() && f.in_flight; }, Fix::copys_end},
    {[](const Facts& f) { return !f.puts() && f.both_atomic() && !f.one_size; }, Fix::one_size},
    {[](const Facts& f) { return !f.puts() && f.signalled && !f.now.atomic; }, Fix::fence_behind_signal},
    {[](const Facts& f) { return f.now.copy && f.plain() && f.same_work && f.same_block; }, Fix::copys_begin},

    // Rules for two pieces of work.
    {[](const Facts& f) { return !f.same_work && f.one_family && !f.from_ancestor; },
     Fix::stream_of_siblings},
    {[](const Facts& f) { return !f.same_work && f.one_family && f.now.write; }, Fix::parents_patience},
    {[](const Facts& f) { return !f.same_work && f.one_family; }, Fix::sight_of_child},
    {[](const Facts& f) { return !f.same_work && f.host && f.both_atomic(); }, Fix::system_scope_of_host},
    {[](const Facts& f) { return !f.same_work && f.host && f.flag_seen; }, Fix::fence_for_host},
    {[](const Facts& f) { return !f.same_work && f.host; }, Fix::waiting_host},
    {[](const Facts& f) { return !f.same_work && f.both_atomic() && f.two_devices; }, Fix::system_scope},
    {[](const Facts& f) { return !f.same_work && f.two_pes; }, Fix::signal},
    {[](const Facts& f) { return !f.same_work && f.in_graphs; }, Fix::edge},
    {[](const Facts& f) { return f.in_streams() && f.two_kernels; }, Fix::stream_of_kernels},
    {[](const Facts& f) { return f.in_streams(); }, Fix::stream},

    // Rules for one kernel in which half of a release/acquire edge is missing. An acquire can also be missing if one of the accesses is
    // atomic, such as a claim before a block counts itself: the last block then resets the counter.
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::no_release; }, Fix::release},
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::narrow_release; }, Fix::wider_release},
    {[](const Facts& f) { return !f.both_atomic() && f.flaw == BrokenEdge::no_acquire; }, Fix::acquire},
    {[](const Facts& f) { return f.plain() && f.flaw == BrokenEdge::narrow_acquire; }, Fix::wider_acquire},

    // Rules for one kernel and atomics.
    {[](const Facts& f) { return f.both_atomic(); }, Fix::wider_scope},
    {[](const Facts& f) { return !f.plain() && f.handed_on(); }, Fix::fences_around_atomic},
    {[](const Facts& f) { return !f.plain() && f.same_block && !f.same_line; }, Fix::barrier_beside_atomic},
    {[](const Facts& f) { return !f.plain(); }, Fix::second_atomic},

    // Rules for one kernel and plain accesses: by two blocks, then by two threads of one block.
    {[](const Facts& f) { return !f.same_block && f.same_cluster; }, Fix::cluster_barrier},
    {[](const Facts& f) { return !f.same_block && f.cooperative && !f.same_line; }, Fix::grid_barrier},
    {[](const Facts& f) { return f.handed_on() && !f.same_line; }, Fix::message},
    {[](const Facts& f) { return !f.same_block; }, Fix::own_elements},
    {[](const Facts& f) { return f.same_line && f.both_write(); }, Fix::own_place},
    {[](const Facts&) { return true; }, Fix::barrier},
};

const std::size_t order_rule_count = std::size(order_rules);

Fix missing_order(const RaceFacts& facts) {
    const OrderRule* rule = order_rules;
    while (!rule->applies(facts)) ++rule;
    return rule->fix;
}

}  // namespace kit::cpu
