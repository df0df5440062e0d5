// Chooses the mistakes to report, and collects the facts for their reports.
#include "mistakes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "block_checks.hpp"
#include "memory/buffers.hpp"
#include "memory/memory.hpp"
#include "missing_order.hpp"
#include "run/block.hpp"
#include "run/cluster.hpp"
#include "run/grid.hpp"
#include "run/worker.hpp"
#include "run/world.hpp"
#include "source/source_lines.hpp"
#include "source/symbols.hpp"
#include "source/who.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_findings = 5;

/// Replaces the number of the block in the record with the block's linear index.
void number_block(RacingAccess& access) {
    if (access.item->numbers)
        access.record.block = access.item->numbers->block(access.record.block) & (most_blocks - 1);
}

/// Returns whether the access is by a different block of this block's cluster.
bool in_one_cluster(const Block* block, const Record& record) {
    if (!block || !block->cluster_or_null()) return false;
    for (const Block* other : block->cluster_or_null()->blocks())
        if (other->linear_index() == record.block) return true;
    return false;
}

/// Returns the facts about a race that follow from the two accesses and their work. Facts about clocks are
/// not included.
RaceFacts facts_of(const Block* block, const RacingAccess& now, const RacingAccess& earlier,
                   const facts::Access& mine, const facts::Access& other) {
    const WorkItem &item = *now.item, &earlier_item = *earlier.item;
    RaceFacts facts;
    facts.now = {mine.write, mine.atomic, mine.puts, mine.copies};
    facts.earlier = {other.write, other.atomic, other.puts, other.copies};
    facts.same_work = now.item == earlier.item;
    facts.same_block = now.record.block == earlier.record.block;
    facts.same_line = mine.at.line == other.at.line;
    facts.same_cluster = in_one_cluster(block, earlier.record);
    facts.cooperative = block && block->grid().launch.cooperative;
    facts.one_family = one_family(item, earlier_item);
    facts.from_ancestor = facts.one_family && is_ancestor(*earlier_item.node, *item.node);
    facts.host = item.stamp.host || earlier_item.stamp.host;
    facts.flag_seen = earlier_item.flag_seen && item.kind == WorkItem::Kind::host && mine.write == false;
    facts.two_devices = on_two_devices(item, earlier_item);
    facts.two_pes = world() && item.device != earlier_item.device;
    facts.in_graphs = item.stamp.in_graph && earlier_item.stamp.in_graph;
    facts.two_kernels = item.kind == WorkItem::Kind::kernel && earlier_item.kind == WorkItem::Kind::kernel;
    return facts;
}

facts::Who thread_of(const RacingAccess& access) {
    return kit::cpu::thread_of(index_of(access.record.rank, access.item->block));
}

/// Returns the thread of the access, with its block.
facts::Who thread_in_grid(const RacingAccess& access) {
    const dim3& grid = access.item->grid;
    facts::Who who = thread_of(access);
    who.in_grid = true;
    if (std::uint64_t{grid.x} * grid.y * grid.z <= most_blocks)
        who.block = index_of(access.record.block, grid);
    return who;
}

/// Returns the thread, kernel or function of the access, for two accesses that are not in the same
/// kernel.
facts::Who who(const RacingAccess& access) {
    const WorkItem& work = *access.item;
    facts::Who who = caller_of(work.name);
    if (work.kind == WorkItem::Kind::kernel) {
        who = thread_in_grid(access);
        who.name = work.name;
    } else if (work.kind == WorkItem::Kind::host) {
        who.name.clear();
        who.kind = work.stamp.host ? facts::Who::Kind::host : facts::Who::Kind::host_function;
    } else if (work.name == allocating_node) {
        who.kind = facts::Who::Kind::allocating_node;
    } else if (work.name == freeing_node) {
        who.kind = facts::Who::Kind::freeing_node;
    }
    return who;
}

facts::Queued queued(const WorkLabel& label) {
    const bool is_host_function = label.kind == WorkKind::host_function;
    const facts::Where at = where_queued(label.place, label.calls);
    return {is_host_function ? "" : label.what, label.kind == WorkKind::kernel, label.stream, at.line,
            at.caller.line};
}

/// Returns the line that queued the access's work; unknown for host code.
facts::Where line_that_queued(const RacingAccess& access) {
    const auto& label = access.item->stamp.label;
    return label ? where_queued(label->place, label->calls) : facts::Where();
}

/// The indexes of the two accesses of a race.
constexpr std::size_t running = 0, before = 1;

}  // namespace

Mistakes::Seen* Mistakes::note(std::uint32_t site, std::uint32_t other_site, char kind) {
    const std::uint64_t key = std::uint64_t(static_cast<unsigned char>(kind)) << 32 |
                              std::uint64_t(std::min(site, other_site)) << 16 | std::max(site, other_site);
    Seen& seen = seen_[key];
    if (seen.count++) return nullptr;
    seen.order = static_cast<unsigned>(seen_.size());
    return &seen;
}

Place Mistakes::caller(const RacingAccess& access) const {
    const void* const instruction = sites_.instruction(access.record.site);
    const bool in_kernel = access.item->kind == WorkItem::Kind::kernel && instruction;
    return in_kernel ? line_of_caller(instruction, access.item->name, access.runs_now) : Place{};
}

void Mistakes::race(const Block* block, const char* address, std::size_t width, RacingAccess now,
                    RacingAccess earlier) {
    Seen* seen = note(now.record.site, earlier.record.site, 'r');
    if (!seen) return;
    const BlockClocks* const clocks = block ? &checks_of(*block).clocks : nullptr;
    const BrokenEdge flaw =
        clocks ? clocks->why_unordered(earlier.record, now.record.rank) : BrokenEdge::none;
    const bool signalled = clocks && earlier.record.write && !now.record.write &&
                           clocks->ordered_by_signal(earlier.record, now.record.rank);
    const bool in_flight = earlier.item->numbers && earlier.item->numbers->is_of_copies(earlier.record.block);
    for (RacingAccess* access : {&now, &earlier}) number_block(*access);
    const std::uint32_t site = now.record.site, other_site = earlier.record.site;
    seen->finding = Finding(facts::Rule::race);
    Finding& race = seen->finding;
    race.memory = place_of(block, address, width);
    race.accesses = {access_of(now), access_of(earlier)};
    facts::Access &mine = race.accesses[running], &other = race.accesses[before];
    const auto is_narrow = [&](const Record& record) {
        return record.atomic && record.scope == static_cast<unsigned>(Scope::block) &&
               now.record.block != earlier.record.block;
    };
    mine.narrow = is_narrow(now.record), other.narrow = is_narrow(earlier.record);
    race.place = mine.at;

    RaceFacts facts = facts_of(block, now, earlier, mine, other);
    facts.in_flight = in_flight;
    facts.one_size = sites_.of_one_size(site, other_site);
    facts.signalled = signalled;
    facts.flaw = flaw;
    race.fix = missing_order(facts);

    if (!facts.same_work) {
        mine.who = who(now);
        other.who = who(earlier);
        const bool in_order = earlier.item->stamp.id < now.item->stamp.id;
        const auto &first = (in_order ? earlier : now).item->stamp.label,
                   &second = (in_order ? now : earlier).item->stamp.label;
        if (facts.in_streams() && first && second) race.queued = {queued(*first), queued(*second)};
        mine.queued = line_that_queued(now), other.queued = line_that_queued(earlier);
    } else {
        race.kernel = now.item->name;
        mine.who = now.record.block == earlier.record.block ? thread_of(now) : thread_in_grid(now);
        other.who = thread_in_grid(earlier);
    }
    // The record of a copy in flight does not contain the copying thread.
    if (in_flight && (other.puts || !mine.puts)) other.who = {};
    if (race.fix != facts::Fix::one_size) return;
    mine.bytes = sites_.atomic_bytes(site);
    other.bytes = sites_.atomic_bytes(other_site);
}

facts::Access Mistakes::access_of(const RacingAccess& access) const {
    const Record& record = access.record;
    facts::Access told;
    told.write = record.write != 0;
    told.atomic = record.atomic != 0;
    told.at = where_of({sites_.place(record.site), caller(access)});
    if (!told.at.line) told.at = line_that_queued(access);  // in the kernel of a library
    told.discards = sites_.discards(record.site);
    told.puts = sites_.is_put(record.site);
    told.copies = sites_.is_copy(record.site);
    return told;
}

void Mistakes::uninitialised(const Block& block, const Access& access, const UndefinedLane* lane,
                             std::uint32_t discarded, const AsyncCopy* copy) {
    const std::uint32_t site =
        access.place ? sites_.number(*access.place) : sites_.number(access.instruction);
    Seen* const seen = note(site, 0, 'u');
    if (!seen) return;
    const Launch& launch = block.grid().launch;
    Spot spot(sites_.place(site), line_of_caller(access.instruction, launch.name, true));
    if (!spot.place.line) spot = first_line(launch.calls);  // in the kernel of a library
    seen->finding =
        why_unwritten(facts::Rule::unwritten, spot, lane, discarded ? sites_.place(discarded) : Place{})
            .by(running_thread())
            .on(place_of(&block, access.address, access.bytes));
    seen->finding.launched = where_queued(launch.place, launch.calls);
    if (copy)
        seen->finding.with("short_copy", line_of(copy->place))
            .with("copied", copy->whole)
            .with("element", copy->element)
            .with("needed", copy->whole * copy->element);
}

void Mistakes::outlived(const Block& block, const char* address, RacingAccess visitor) {
    Seen* const seen = note(visitor.record.site, 0, 'o');
    if (!seen) return;
    number_block(visitor);
    facts::Access visit = access_of(visitor);
    visit.who = who(visitor);
    seen->finding = finding_about(facts::Rule::outlived, sites_.place(visitor.record.site))
                        .on(place_of(&block, address))
                        .and_by(name_block(index_of(block.index())), {});
    seen->finding.accesses = {visit};
}

void Mistakes::outlived(const Block& block, const AsyncCopy& copy) {
    if (Seen* const seen = note(sites_.number(copy.place), 0, 'o'))
        seen->finding = finding(facts::Rule::copy_outlives_block, copy.place)
                            .by(block.who(copy.rank))
                            .on(place_of(&block, copy.from))
                            .with("copy", copy.what);
}

void Mistakes::uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin) {
    const std::uint32_t site = sites_.number(instruction);
    Seen* const seen = note(site, 0, 'u');
    if (!seen) return;
    Place place = sites_.place(site);
    if (!place.line) place = first_line(host_calls());  // in a library
    seen->finding = why_unwritten(facts::Rule::unwritten_copy, place, origin.lane.is ? &origin.lane : nullptr,
                                  origin.discarded)
                        .on(origin.copied_from);
}

void Mistakes::report() {
    // If a reader races with a writer, the order of this run decides whether the reader comes first.
    // Therefore, a line that is part of a race is not also reported for reading uninitialized values.
    std::set<std::pair<std::string, int>> racing, written_twice;
    const auto lines_of = [](const facts::Access& access) {
        return std::pair{access.at.file, access.at.line};
    };
    for (const auto& [key, seen] : seen_) {
        if (!seen.is_race()) continue;
        for (const facts::Access& access : seen.finding.accesses)
            racing.insert({access.at.file, access.at.line});
        if (seen.finding.fix == facts::Fix::own_place)
            written_twice.insert({seen.finding.place.file, seen.finding.place.line});
    }
    std::vector<Seen> all;
    for (auto& [key, seen] : seen_) {
        Finding& finding = seen.finding;
        const std::pair place{finding.place.file, finding.place.line};
        if (!seen.is_race()) {
            if (racing.count(place)) continue;
        } else if (finding.fix == facts::Fix::barrier) {
            // If several threads also write to this address, each of them changes a value that the line, or
            // an earlier line, has read.
            const facts::Access &one = finding.accesses[running], &other = finding.accesses[before];
            const facts::Access &read = one.write ? other : one, &write = one.write ? one : other;
            if (!read.write && write.write && read.at.line <= write.at.line &&
                written_twice.count(lines_of(write)))
                finding.fix = facts::Fix::atomic_update;
        }
        all.push_back(std::move(seen));
    }
    seen_.clear();
    std::sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) {
        return a.is_race() != b.is_race() ? a.is_race() : a.order < b.order;
    });
    if (all.size() > most_findings) all.resize(most_findings);
    for (Seen& seen : all) {
        seen.finding.times = seen.count;
        add_finding(std::move(seen.finding));
    }
}

facts::Memory place_of(const Block* block, const char* address, std::size_t width) {
    const facts::Memory shared = block ? block->shared().memory_at(address, width) : facts::Memory{};
    if (is_known(shared)) return shared;
    const Cluster* cluster = block ? block->cluster_or_null() : nullptr;
    if (const Block* neighbour = cluster ? cluster->holder(address) : nullptr) {
        facts::Memory memory = neighbour->shared().memory_at(address, width);
        memory.block = index_of(neighbour->index());
        return memory;
    }
    const facts::Memory variable = variable_at(address, width);
    return is_known(variable) ? variable : place_of_memory(address, width);
}

Finding why_unwritten(facts::Rule rule, const Spot& spot, const UndefinedLane* lane, Place discarded) {
    const bool is_copy = rule == facts::Rule::unwritten_copy;
    if (lane) {
        const facts::Rule why = rule == facts::Rule::undefined_store ? rule
                                : is_copy                            ? facts::Rule::undefined_lane_copy
                                                                     : facts::Rule::undefined_lane;
        Finding undefined = finding(why, spot, lane->place)
                                .with("shuffle", lane->what)
                                .with("shuffled", line_of(lane->place))
                                .with("lane", lane->lane);
        switch (lane->why) {
            case UndefinedLane::Why::not_named:
                return undefined.with("mask", lane->mask);
            case UndefinedLane::Why::returned:
                return undefined.with("returned", lane->mask);
            case UndefinedLane::Why::no_thread:
                return undefined.with("threads", lane->threads);
            case UndefinedLane::Why::other_size:
                return undefined.with("other_size", lane->mask);
        }
    }
    if (discarded.line)
        return finding(is_copy ? facts::Rule::discarded_copy : facts::Rule::discarded, spot)
            .with("discarded", line_of(discarded));
    return finding(rule, spot);
}

}  // namespace kit::cpu
