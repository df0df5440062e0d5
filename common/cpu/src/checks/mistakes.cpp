// Which mistakes are news, and the facts for their words.
#include "mistakes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "block_checks.hpp"
#include "memory/buffers.hpp"
#include "missing_order.hpp"
#include "run/block.hpp"
#include "run/cluster.hpp"
#include "run/grid.hpp"
#include "run/worker.hpp"
#include "run/world.hpp"
#include "undefined_lanes.hpp"
#include "words/async_words.hpp"
#include "words/source_lines.hpp"
#include "words/symbols.hpp"
#include "words/who_words.hpp"
#include "words/work_words.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_findings = 5;

/// From here on its record has the linear index of the block.
void number_block(RacingAccess& access) {
    if (access.item->numbers)
        access.record.block = access.item->numbers->block(access.record.block) & (most_blocks - 1);
}

/// Returns whether another block of this block's cluster has made the access.
bool in_one_cluster(const Block* block, const Record& record) {
    if (!block || !block->cluster_or_null()) return false;
    for (const Block* other : block->cluster_or_null()->blocks())
        if (other->linear_index() == record.block) return true;
    return false;
}

/// The facts that follow from the two accesses and their work; those about the clocks of the block are not among them.
RaceFacts facts_of(const Block* block, const RacingAccess& now, const RacingAccess& earlier,
                   const Race& race) {
    const WorkItem &item = *now.item, &earlier_item = *earlier.item;
    RaceFacts facts;
    facts.now = {race.now.write, race.now.atomic, race.now.puts, race.now.copies};
    facts.earlier = {race.earlier.write, race.earlier.atomic, race.earlier.puts, race.earlier.copies};
    facts.same_work = now.item == earlier.item;
    facts.same_block = now.record.block == earlier.record.block;
    facts.same_line = race.now.place.line == race.earlier.place.line;
    facts.same_cluster = in_one_cluster(block, earlier.record);
    facts.one_family = one_family(item, earlier_item);
    facts.from_ancestor = facts.one_family && is_ancestor(*earlier_item.node, *item.node);
    facts.host = item.stamp.host || earlier_item.stamp.host;
    facts.two_devices = on_two_devices(item, earlier_item);
    facts.two_pes = world() && item.device != earlier_item.device;
    facts.in_graphs = item.stamp.in_graph && earlier_item.stamp.in_graph;
    facts.two_kernels = item.kind == WorkItem::Kind::kernel && earlier_item.kind == WorkItem::Kind::kernel;
    return facts;
}

std::string thread_of(const RacingAccess& access) {
    return name_thread(access.record.rank, access.item->block);
}

std::string block_of(const RacingAccess& access) {
    const dim3& grid = access.item->grid;
    if (std::uint64_t{grid.x} * grid.y * grid.z > most_blocks) return some_block();
    return name_block(access.record.block, grid);
}

/// Names what has made the access, if the two accesses do not belong to the same kernel.
std::string who(const RacingAccess& access) {
    const WorkItem& work = *access.item;
    if (work.kind == WorkItem::Kind::host) return work.stamp.host ? host_code() : host_function_in_words();
    if (work.kind == WorkItem::Kind::copy) return work.name;
    return of_kernel(thread_of(access), block_of(access), work.name);
}

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
    const Record &mine = now.record, &other = earlier.record;
    const Place here = sites_.place(mine.site), there = sites_.place(other.site);
    Race& race = seen->race.emplace();
    race.memory = name_address(block, address, width);
    race.now = {"", mine.write != 0, mine.atomic != 0, here, caller(now)};
    race.earlier = {"", other.write != 0, other.atomic != 0, there, caller(earlier)};
    race.now.discards = sites_.discards(mine.site);
    race.earlier.discards = sites_.discards(other.site);
    race.now.puts = sites_.is_put(mine.site);
    race.earlier.puts = sites_.is_put(other.site);
    race.now.copies = sites_.is_copy(mine.site);
    race.earlier.copies = sites_.is_copy(other.site);

    RaceFacts facts = facts_of(block, now, earlier, race);
    facts.in_flight = in_flight;
    facts.one_size = sites_.of_one_size(mine.site, other.site);
    facts.signalled = signalled;
    facts.flaw = flaw;
    race.missing = missing_order(facts);

    if (!facts.same_work) {
        race.now.who = who(now);
        race.earlier.who = who(earlier);
        const bool in_order = earlier.item->stamp.id < now.item->stamp.id;
        const auto &first = (in_order ? earlier : now).item->stamp.label,
                   &second = (in_order ? now : earlier).item->stamp.label;
        if (facts.in_streams() && first && second) race.between = work_in_words(*first, *second);
    } else {
        race.kernel = now.item->name;
        race.now.who = mine.block == other.block ? thread_of(now) : of_block(thread_of(now), block_of(now));
        race.earlier.who = of_block(thread_of(earlier), block_of(earlier));
    }
    // The record of a copy in flight does not contain its thread.
    if (in_flight && (race.earlier.puts || !race.now.puts)) race.earlier.who.clear();
    if (race.missing != Missing::one_size) return;
    race.now.bytes = sites_.atomic_bytes(mine.site);
    race.earlier.bytes = sites_.atomic_bytes(other.site);
}

void Mistakes::uninitialised(const Block& block, const Access& access, const UndefinedLane* lane,
                             std::uint32_t discarded, const AsyncCopy* copy) {
    const std::uint32_t site =
        access.place ? sites_.number(*access.place) : sites_.number(access.instruction);
    Seen* const seen = note(site, 0, 'u');
    if (!seen) return;
    seen->finding = unwritten_in_words(running_thread_name(),
                                       name_address(&block, access.address, access.bytes), sites_.place(site),
                                       line_of_caller(access.instruction, block.grid().launch.name, true),
                                       {lane, discarded ? sites_.place(discarded) : Place{}});
    if (copy) seen->finding.message += short_copy(copy->place, copy->whole, copy->element);
}

void Mistakes::outlived(const Block& block, const char* address, RacingAccess visitor) {
    Seen* const seen = note(visitor.record.site, 0, 'o');
    if (!seen) return;
    number_block(visitor);
    const Record& visit = visitor.record;
    seen->finding = outlived_in_words(
        {who(visitor), visit.write != 0, visit.atomic != 0, sites_.place(visit.site), caller(visitor)},
        name_address(&block, address), block.block_name());
}

void Mistakes::outlived(const Block& block, const AsyncCopy& copy) {
    if (Seen* const seen = note(sites_.number(copy.place), 0, 'o'))
        seen->finding =
            copy_outlives_block(copy, block.whole_name(copy.rank), name_address(&block, copy.from));
}

void Mistakes::uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin) {
    const std::uint32_t site = sites_.number(instruction);
    if (Seen* const seen = note(site, 0, 'u'))
        seen->finding = unwritten_copy_in_words(origin.copied_from, sites_.place(site),
                                                {origin.lane.is ? &origin.lane : nullptr, origin.discarded});
}

void Mistakes::report() {
    // Whether the reader of a race comes before the first writer depends on the order that ran: of a line that races it
    // is not said that it also read what nobody had written yet.
    std::set<std::pair<std::string, int>> racing, written_twice;
    for (const auto& [key, seen] : seen_) {
        if (!seen.race) continue;
        for (const Place& place : {seen.race->now.place, seen.race->earlier.place})
            racing.insert({place.file, place.line});
        if (seen.race->missing == Missing::own_place)
            written_twice.insert({seen.race->now.place.file, seen.race->now.place.line});
    }
    std::vector<Seen> all;
    for (auto& [key, seen] : seen_) {
        if (seen.race) {
            Race& race = *seen.race;
            // Where threads also write at that very line, each of them changes what it has read there.
            if (race.missing == Missing::barrier && race.now.place.line == race.earlier.place.line &&
                written_twice.count({race.now.place.file, race.now.place.line}))
                race.missing = Missing::atomic_update;
            seen.finding = in_words(race);
        } else if (racing.count({seen.finding.place.file, seen.finding.place.line})) {
            continue;
        }
        all.push_back(std::move(seen));
    }
    seen_.clear();
    std::sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) {
        return a.race.has_value() != b.race.has_value() ? a.race.has_value() : a.order < b.order;
    });
    if (all.size() > most_findings) all.resize(most_findings);
    for (Seen& seen : all) add_finding(seen_times(std::move(seen.finding), seen.count));
}

std::string name_address(const Block* block, const char* address, std::size_t width) {
    const std::string shared = block ? block->shared().describe(address, width) : "";
    if (!shared.empty()) return shared;
    const Cluster* cluster = block ? block->cluster_or_null() : nullptr;
    if (const Block* neighbour = cluster ? cluster->holder(address) : nullptr)
        return of_block(neighbour->shared().describe(address, width), neighbour->block_name());
    const std::string variable = variable_at(address, width);
    return variable.empty() ? describe_memory(address, width) : variable;
}

}  // namespace kit::cpu
