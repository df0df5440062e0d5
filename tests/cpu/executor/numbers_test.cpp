// Tests of counters at their overflow, which a program would not reach within a minute. common/cpu/README.md
// has the table.
#include <cstdio>
#include <memory>

#include "checks/arrivals.hpp"
#include "checks/by_address.hpp"
#include "checks/happens_before.hpp"
#include "checks/sites.hpp"

using namespace kit::cpu;

namespace {

int failures = 0;
int checks = 0;

void check(bool holds, const char* what) {
    ++checks;
    if (holds) return;
    ++failures;
    std::printf("FAIL  %s\n", what);
}

/// Returns a record of an access that the thread makes now.
Record record_of(const BlockClocks& clocks, unsigned rank) {
    Record record{};
    record.valid = record.write = 1;
    record.block = clocks.number();
    record.rank = rank & 1023;
    record.clock = std::min(clocks.clock(rank), most_clock) & most_clock;
    return record;
}

void all_block_numbers_are_taken() {
    BlockNumbers numbers(3);
    std::uint32_t last = 0;
    for (std::uint32_t i = 3; i < most_blocks; ++i) last = numbers.renew(i % 3);
    check(last == most_blocks - 1, "the last block number is given out");
    check(numbers.block(last) == (most_blocks - 1) % 3, "the last number is that of the block that took it");
    check(numbers.renew(2) == 2, "there is no number left, so the block keeps its own");

    BlockClocks clocks;
    clocks.start(&numbers, 1, 64, 0);
    const Record first = record_of(clocks, 0);
    for (std::uint32_t i = 0; i < 2 * most_clock; ++i) clocks.barrier();
    check(clocks.number() == 1, "no number left, after barriers");
    check(clocks.happens_before(first, 40), "what happened before the barriers is ordered");
    const Record late = record_of(clocks, 0);
    clocks.barrier();
    check(clocks.happens_before(late, 40), "a clock that stands still orders: nobody is accused");
}

/// Tests each way to advance a clock without a barrier of the block, up to the overflow of the clock and
/// beyond.
void a_clock_runs_over_without_barriers() {
    using Step = void (*)(BlockClocks&);
    const std::pair<const char*, Step> steps[] = {
        {"__syncwarp", [](BlockClocks& clocks) { clocks.warp_barrier(0, 3); }},
        {"fences", [](BlockClocks& clocks) { clocks.fence(0, Scope::device); }},
        {"launches of children", [](BlockClocks& clocks) { clocks.launch(0); }},
        {"arrivals", [](BlockClocks& clocks) {
             Arrivals phase;
             phase.add_block(clocks.number(), clocks.threads());
             clocks.arrive_at(phase, 0);
         }}};
    for (const auto& [what, step] : steps) {
        BlockNumbers numbers(1);
        BlockClocks clocks;
        clocks.start(&numbers, 0, 64, 0);
        bool in_range = true, never_blind = true, orders = true;
        for (std::uint32_t i = 0; i < 3 * most_clock; ++i) {
            const Record before = record_of(clocks, 0);
            step(clocks);
            in_range &= clocks.clock(0) <= most_clock;
            orders &= clocks.happens_before(before, 0);
            never_blind &= !clocks.happens_before(record_of(clocks, 0), 40);
        }
        check(in_range, what);
        check(orders, "a thread comes after itself");
        check(never_blind, "another warp has not come after the last access");
        check(clocks.number() > 0, "the block goes on under another number");
    }
}

void more_places_than_a_record_can_name() {
    const auto sites = std::make_unique<Sites>();
    const auto* const code = reinterpret_cast<const char*>(0x10000);
    for (std::uint32_t i = 1; i < most_sites; ++i)
        if (sites->number(code + i) != i) return check(false, "places are numbered as they come");
    check(sites->number(code + most_sites) == 0, "the place after the last is unknown");
    check(sites->number(Place{{"a.cu"}, 7}) == 0, "and so is a call");
    check(sites->number(code + 5) == 5, "known places stay known");
}

void more_addresses_than_slots() {
    ByAddress<int> values;
    const auto* const memory = reinterpret_cast<const char*>(0x20000);
    for (int i = 0; i < 100000; ++i) values[memory + 4 * i] = i;
    bool same = true;
    for (int i = 0; i < 100000; ++i) same &= values[memory + 4 * i] == i;
    check(same, "messages at 100,000 addresses");
    values.clear();
    check(values[memory + 400] == 0, "cleared messages");
}

}  // namespace

int main() {
    all_block_numbers_are_taken();
    a_clock_runs_over_without_barriers();
    more_places_than_a_record_can_name();
    more_addresses_than_slots();
    std::printf("%d of %d checks passed\n", checks - failures, checks);
    return failures || !checks ? 1 : 0;
}
