// Tests of the rules for the suggested fix of a race: one row per rule, in the order of the rules. No other
// rule may match its row.
#include "checks/missing_order.hpp"

#include <cstdio>
#include <iterator>

using namespace kit::cpu;
using kit::facts::Fix;

namespace {

constexpr RaceFacts::Side reads{}, writes{true}, updates{true, true}, loads_atomically{false, true};
constexpr RaceFacts::Side puts{true, false, true}, reads_for_put{false, false, true},
    copies{true, false, false, true};

/// Returns the facts about two accesses by threads of one block at two lines, changed as the row requires.
template <class Change>
RaceFacts facts(const RaceFacts::Side& now, const RaceFacts::Side& earlier, Change change) {
    RaceFacts made;
    made.now = now;
    made.earlier = earlier;
    change(made);
    return made;
}

void as_they_are(RaceFacts&) {}

/// Returns the facts about two accesses by threads of two blocks.
template <class Change>
RaceFacts two_blocks(const RaceFacts::Side& now, const RaceFacts::Side& earlier, Change change) {
    return facts(now, earlier, [&](RaceFacts& f) { f.same_block = false, change(f); });
}

/// Returns the facts about accesses by two pieces of work.
template <class Change>
RaceFacts two_works(const RaceFacts::Side& now, const RaceFacts::Side& earlier, Change change) {
    return facts(now, earlier, [&](RaceFacts& f) { f.same_work = false, change(f); });
}

struct Row {
    Fix fix;
    RaceFacts facts;
};

const Row rows[] = {
    {Fix::one_put, two_works(puts, puts, as_they_are)},
    {Fix::puts_source, facts(writes, reads_for_put, [](RaceFacts& f) { f.in_flight = true; })},
    {Fix::fence_behind_signal,
     two_works(reads, puts, [](RaceFacts& f) { f.in_flight = f.signalled = true; })},
    {Fix::puts_end, two_works(reads, puts, [](RaceFacts& f) { f.in_flight = true; })},

    {Fix::copys_end, facts(copies, copies, [](RaceFacts& f) { f.in_flight = true; })},
    {Fix::one_size, facts(updates, updates, [](RaceFacts& f) { f.one_size = false; })},
    {Fix::fence_behind_signal, two_works(reads, writes, [](RaceFacts& f) { f.signalled = true; })},
    {Fix::copys_begin, facts(copies, reads, as_they_are)},

    {Fix::stream_of_siblings, two_works(reads, writes, [](RaceFacts& f) { f.one_family = true; })},
    {Fix::parents_patience,
     two_works(writes, reads, [](RaceFacts& f) { f.one_family = f.from_ancestor = true; })},
    {Fix::sight_of_child,
     two_works(reads, writes, [](RaceFacts& f) { f.one_family = f.from_ancestor = true; })},
    {Fix::system_scope_of_host, two_works(loads_atomically, updates, [](RaceFacts& f) { f.host = true; })},
    {Fix::fence_for_host, two_works(reads, writes, [](RaceFacts& f) { f.host = f.flag_seen = true; })},
    {Fix::waiting_host, two_works(reads, writes, [](RaceFacts& f) { f.host = true; })},
    {Fix::system_scope,
     two_works(updates, updates, [](RaceFacts& f) { f.two_devices = f.two_kernels = true; })},
    {Fix::signal, two_works(reads, writes, [](RaceFacts& f) { f.two_devices = f.two_pes = true; })},
    {Fix::edge, two_works(reads, writes, [](RaceFacts& f) { f.in_graphs = f.two_kernels = true; })},
    {Fix::stream_of_kernels, two_works(reads, writes, [](RaceFacts& f) { f.two_kernels = true; })},
    {Fix::stream, two_works(reads, writes, as_they_are)},

    {Fix::release, two_blocks(reads, writes, [](RaceFacts& f) { f.flaw = BrokenEdge::no_release; })},
    {Fix::wider_release,
     two_blocks(reads, writes, [](RaceFacts& f) { f.flaw = BrokenEdge::narrow_release; })},
    {Fix::acquire, two_blocks(reads, writes, [](RaceFacts& f) { f.flaw = BrokenEdge::no_acquire; })},
    {Fix::wider_acquire,
     two_blocks(reads, writes, [](RaceFacts& f) { f.flaw = BrokenEdge::narrow_acquire; })},

    {Fix::wider_scope, two_blocks(updates, updates, as_they_are)},
    {Fix::fences_around_atomic, two_blocks(loads_atomically, writes, as_they_are)},
    {Fix::barrier_beside_atomic, facts(reads, updates, as_they_are)},
    {Fix::second_atomic, facts(writes, updates, [](RaceFacts& f) { f.same_line = true; })},

    {Fix::cluster_barrier, two_blocks(reads, writes, [](RaceFacts& f) { f.same_cluster = true; })},
    {Fix::grid_barrier, two_blocks(reads, writes, [](RaceFacts& f) { f.cooperative = true; })},
    {Fix::message, two_blocks(reads, writes, as_they_are)},
    {Fix::own_elements, two_blocks(writes, writes, as_they_are)},
    {Fix::own_place, facts(writes, writes, [](RaceFacts& f) { f.same_line = true; })},
    {Fix::barrier, facts(reads, writes, as_they_are)},
};

std::size_t first_rule(const RaceFacts& facts) {
    std::size_t i = 0;
    while (i < order_rule_count && !order_rules[i].applies(facts)) ++i;
    return i;
}

}  // namespace

int main() {
    int failures = std::size(rows) == order_rule_count ? 0 : 1;
    if (failures) std::printf("FAIL  %zu rules, but %zu rows\n", order_rule_count, std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        const std::size_t rule = first_rule(rows[i].facts);
        if (rule == i && missing_order(rows[i].facts) == rows[i].fix) continue;
        std::printf("FAIL  row %zu is decided by rule %zu\n", i, rule);
        ++failures;
    }
    std::printf("%zu rows, %d failures\n", std::size(rows), failures);
    return failures ? 1 : 0;
}
