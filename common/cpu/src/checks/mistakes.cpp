// The words for races and uninitialised reads.
#include "mistakes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "../block.hpp"
#include "../cluster.hpp"
#include "../grid.hpp"
#include "../symbols.hpp"
#include "buffers.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_findings = 5;

std::string verb(const Record& record) {
    if (record.atomic) return "updates it atomically";
    return record.write ? "writes it" : "reads it";
}

/// From here on its record has the linear index of the block.
void name_block(Party& party) {
    if (party.actor->numbers)
        party.record.block = party.actor->numbers->block(party.record.block) & (most_blocks - 1);
}

/// Did another block of this block's cluster do that?
bool in_one_cluster(const Block* block, const Record& record) {
    if (!block || !block->cluster_or_null()) return false;
    for (const Block* other : block->cluster_or_null()->blocks())
        if (other->linear_index() == record.block) return true;
    return false;
}

/// What would have ordered the two.
std::string missing(const Block* block, const Record& now, const Record& earlier, Place here, Place there) {
    const std::string between = here.line == there.line
                                    ? "the two"
                                    : "line " + std::to_string(std::min(here.line, there.line)) +
                                          " and line " + std::to_string(std::max(here.line, there.line));
    if (now.atomic && earlier.atomic)
        return "both are atomic, but the scope of one does not reach the other's block";
    if (now.atomic != earlier.atomic) {
        const bool within = now.block == earlier.block && here.line != there.line;
        const bool handed_on = now.block != earlier.block && earlier.write && !now.write;
        if (handed_on)
            return "only one of the two is atomic, and nothing orders " + between +
                   ": a __threadfence() is missing, behind the one and in front of the other, around an "
                   "atomic";
        return "only one of the two is atomic, and " +
               (within ? "no barrier stands between " : std::string("nothing orders ")) + between;
    }
    if (now.block != earlier.block && in_one_cluster(block, earlier))
        return "no cluster.sync() between " + between;
    if (now.block != earlier.block && earlier.write && !now.write && here.line != there.line)
        return "nothing orders two blocks of one kernel: who hands on a value needs a __threadfence() behind "
               "the write "
               "and then an atomic, and who takes it reads it behind that atomic and a __threadfence(); or "
               "use a "
               "second kernel";
    if (now.block != earlier.block)
        return "nothing orders two blocks of one kernel: let each have elements of its own, or use an atomic "
               "or a "
               "second kernel";
    if (here.line == there.line && (now.write && earlier.write))
        return "no barrier between the two, and each thread needs a place of its own or an atomic";
    return "no barrier between " + between;
}

std::string coordinates(std::uint32_t index, const dim3& extent) {
    return "(" + std::to_string(index % extent.x) + "," + std::to_string(index / extent.x % extent.y) + "," +
           std::to_string(index / extent.x / extent.y) + ")";
}

std::string block_of(const Party& party) {
    const dim3& grid = party.actor->grid;
    if (std::uint64_t{grid.x} * grid.y * grid.z > most_blocks) return "one of the blocks";
    return "block " + coordinates(party.record.block, grid);
}

/// Who made the access, when the two do not belong to one kernel.
std::string who(const Party& party) {
    const Actor& actor = *party.actor;
    if (actor.kind == Actor::Kind::host) return "host code";
    if (actor.kind == Actor::Kind::copy) return actor.name;
    return "thread " + coordinates(party.record.rank, actor.block) + " of " + block_of(party) + " of `" +
           actor.name + "`";
}

/// The same among kernels that kernels have launched; the child is the one that runs now.
std::string missing_in_family(const Party& now, const Party& earlier) {
    if (!is_ancestor(*earlier.actor->descent, *now.actor->descent))
        return "nothing orders the two: launch both into one stream, or the later one into "
               "cudaStreamTailLaunch";
    if (now.record.write)
        return "a parent never sees what its children write: leave that to the host or to a kernel launched "
               "into cudaStreamTailLaunch";
    return "a child sees what the launching thread wrote before the launch, and what a barrier ordered "
           "before it; no more";
}

std::string missing_between_work(const Party& now_party, const Party& earlier_party) {
    const Actor &now = *now_party.actor, &earlier = *earlier_party.actor;
    if (one_family(now, earlier)) return missing_in_family(now_party, earlier_party);
    if (now.kind == Actor::Kind::host || earlier.kind == Actor::Kind::host)
        return "nothing makes the host wait: synchronise before host code touches it";
    if (now.stamp.in_graph && earlier.stamp.in_graph)
        return "nothing orders the two nodes of the graph: an edge is missing (in a capture: an event of one "
               "stream "
               "that the other waits for)";
    return std::string("nothing orders the two") +
           (now.kind == earlier.kind && now.kind == Actor::Kind::kernel ? " kernels" : "") +
           ": use one stream, or let one stream wait for an event of the other";
}

}  // namespace

std::uint32_t Sites::add(const Site& site) {
    if (sites_.size() == most_sites) return 0;
    sites_.push_back(site);
    return static_cast<std::uint32_t>(sites_.size() - 1);
}

std::uint32_t Sites::number(const void* instruction) {
    Slot& slot = recent_[reinterpret_cast<std::uintptr_t>(instruction) % slots];
    if (slot.instruction == instruction) return slot.number;
    auto [found, is_new] = numbers_.emplace(instruction, 0);
    if (is_new) found->second = add({instruction, {}, false});
    slot = {instruction, found->second};
    return found->second;
}

std::uint32_t Sites::number(Place call) {
    if (call.line == Place::of_instruction) return number(call.instruction);
    auto [found, is_new] = calls_.emplace(std::pair{std::string(call.file), call.line}, 0);
    if (is_new) found->second = add({nullptr, call, true});
    return found->second;
}

Place Sites::place(std::uint32_t number) {
    Site& site = sites_[number];
    if (!site.known && site.instruction) site.place = source_line(site.instruction);
    site.known = true;
    return site.place;
}

Mistakes::Seen* Mistakes::note(std::uint32_t site, std::uint32_t other_site, char kind) {
    const std::uint64_t key = std::uint64_t(static_cast<unsigned char>(kind)) << 32 |
                              std::uint64_t(std::min(site, other_site)) << 16 | std::max(site, other_site);
    Seen& seen = seen_[key];
    if (seen.count++) return nullptr;
    seen.order = static_cast<unsigned>(seen_.size());
    return &seen;
}

void Mistakes::race(const Block* block, const char* address, Party now, Party earlier) {
    Seen* seen = note(now.record.site, earlier.record.site, 'r');
    if (!seen) return;
    for (Party* party : {&now, &earlier}) name_block(*party);
    const Place here = sites_.place(now.record.site), there = sites_.place(earlier.record.site);
    std::string text = "race on " + name_address(block, address);
    if (now.actor != earlier.actor) {
        text += ": " + who(now) + " " + verb(now.record) + " at " + describe(here) + ", and " + who(earlier) +
                " " + verb(earlier.record) + " at " + describe(there) + "; " +
                missing_between_work(now, earlier);
    } else {
        const dim3& threads = now.actor->block;
        const bool one_block = now.record.block == earlier.record.block;
        text += " in `" + now.actor->name + "`: thread " + coordinates(now.record.rank, threads) +
                (one_block ? "" : " of " + block_of(now)) + " " + verb(now.record) + " at " + describe(here) +
                ", and thread " + coordinates(earlier.record.rank, threads) + " of " + block_of(earlier) +
                " " + verb(earlier.record) + " at " + describe(there) + "; " +
                missing(block, now.record, earlier.record, here, there);
    }
    seen->finding = {"race", text, here};
    seen->other = there;
}

void Mistakes::uninitialised(const Block& block, const Access& access, const UndefinedLane* lane) {
    const std::uint32_t site = sites_.number(access.instruction);
    Seen* seen = note(site, 0, 'u');
    if (!seen) return;
    const Place here = sites_.place(site);
    const std::string reads = block.thread_name(block.rank()) + " of " + block.block_name() + " of `" +
                              block.grid().launch.name + "` reads " + name_address(&block, access.address) +
                              " at " + describe(here) + ", ";
    seen->finding =
        lane ? Finding{"warp", "warp: " + reads + "made of " + describe(*lane), lane->place}
             : Finding{"uninitialised", "uninitialised read: " + reads + "which nobody has written", here};
}

void Mistakes::outlived(const Block& block, const char* address, Party visitor) {
    Seen* seen = note(visitor.record.site, 0, 'o');
    if (!seen) return;
    name_block(visitor);
    const Place place = sites_.place(visitor.record.site);
    seen->finding = {"address",
                     who(visitor) + (visitor.record.write ? " writes " : " reads ") +
                         name_address(&block, address) + " at " + describe(place) + ", shared memory of " +
                         block.block_name() +
                         " of its cluster, which may have ended by then: no block may "
                         "leave before the others are done with its memory, so cluster.sync() comes first",
                     place};
}

void Mistakes::uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin) {
    const std::uint32_t site = sites_.number(instruction);
    Seen* seen = note(site, 0, 'u');
    if (!seen) return;
    const Place here = sites_.place(site);
    const std::string uses =
        "host code at " + describe(here) + " uses a copy of " + origin.copied_from + ", ";
    seen->finding =
        origin.lane.is
            ? Finding{"warp", "warp: " + uses + "made of " + describe(origin.lane), origin.lane.place}
            : Finding{"uninitialised", "uninitialised read: " + uses + "which nobody has written", here};
}

void Mistakes::report() {
    // Whether the reader of a race comes before the first writer depends on the order that ran: of a line that races it
    // is not said that it also read what nobody had written yet.
    std::set<std::pair<std::string, int>> racing;
    for (const auto& [key, seen] : seen_)
        if (seen.finding.kind == "race")
            for (Place place : {seen.finding.place, seen.other}) racing.insert({place.file, place.line});
    // Where threads also write at that very line, each of them changes what it has read there.
    const std::string own_place = "a place of its own or an atomic", between = "no barrier between the two";
    std::set<std::pair<std::string, int>> updated;
    for (const auto& [key, seen] : seen_)
        if (seen.finding.message.find(own_place) != std::string::npos)
            updated.insert({seen.finding.place.file, seen.finding.place.line});
    for (auto& [key, seen] : seen_) {
        std::string& message = seen.finding.message;
        const bool at_end =
            message.size() > between.size() && message.rfind(between) == message.size() - between.size();
        if (!at_end || !updated.count({seen.finding.place.file, seen.finding.place.line})) continue;
        message.replace(
            message.size() - between.size(), between.size(),
            "each thread changes what it has read, and another one does so in between: make the update "
            "atomic, or give each thread a place of its own");
    }
    std::vector<Seen> all;
    for (auto& [key, seen] : seen_)
        if (seen.finding.kind == "race" || !racing.count({seen.finding.place.file, seen.finding.place.line}))
            all.push_back(std::move(seen));
    seen_.clear();
    std::sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) {
        const bool race_a = a.finding.kind == "race", race_b = b.finding.kind == "race";
        return race_a != race_b ? race_a : a.order < b.order;
    });
    if (all.size() > most_findings) all.resize(most_findings);
    for (Seen& seen : all) {
        if (seen.count > 1) seen.finding.message += " (seen " + std::to_string(seen.count) + " times)";
        add_finding(std::move(seen.finding));
    }
}

std::string name_address(const Block* block, const char* address) {
    const std::string shared = block ? block->shared().describe(address) : "";
    if (!shared.empty()) return shared;
    const Cluster* cluster = block ? block->cluster_or_null() : nullptr;
    if (const Block* neighbour = cluster ? cluster->holder(address) : nullptr)
        return neighbour->shared().describe(address) + " of " + neighbour->block_name();
    const std::string variable = variable_at(address);
    return variable.empty() ? describe_memory(address) : variable;
}

}  // namespace kit::cpu
