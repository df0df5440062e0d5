// The words for races and uninitialised reads.
#include "mistakes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "../block.hpp"
#include "../grid.hpp"
#include "../symbols.hpp"
#include "buffers.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_findings = 5;

std::string verb(const Record& record) {
    if (record.atomic) return "updates it atomically";
    return record.write ? "writes it" : "reads it";
}

/// What would have ordered the two.
std::string missing(const Record& now, const Record& earlier, Place here, Place there) {
    const std::string between = here.line == there.line
                                    ? "the two"
                                    : "line " + std::to_string(std::min(here.line, there.line)) +
                                          " and line " + std::to_string(std::max(here.line, there.line));
    if (now.atomic && earlier.atomic)
        return "both are atomic, but the scope of one does not reach the other's block";
    if (now.atomic != earlier.atomic) return "only one of the two is atomic, and nothing orders " + between;
    if (now.block != earlier.block)
        return "nothing orders two blocks of one kernel: use an atomic, or a second kernel";
    return "no barrier between " + between;
}

std::string block_of(const Record& record, const Block& block) {
    const dim3& grid = block.grid().launch.grid;
    const std::uint32_t index = record.block;
    return "block (" + std::to_string(index % grid.x) + "," + std::to_string(index / grid.x % grid.y) + "," +
           std::to_string(index / grid.x / grid.y) + ")";
}

}  // namespace

std::uint32_t Sites::number(const void* instruction) {
    Slot& slot = recent_[reinterpret_cast<std::uintptr_t>(instruction) % slots];
    if (slot.instruction == instruction) return slot.number;
    auto [found, is_new] = numbers_.emplace(instruction, 0);
    if (is_new && instructions_.size() < most_sites) {
        found->second = static_cast<std::uint32_t>(instructions_.size());
        instructions_.push_back(instruction);
    }
    slot = {instruction, found->second};
    return found->second;
}

Mistakes::Seen* Mistakes::note(std::uint32_t site, std::uint32_t other_site, char kind) {
    const std::uint64_t key = std::uint64_t(static_cast<unsigned char>(kind)) << 32 |
                              std::uint64_t(std::min(site, other_site)) << 16 | std::max(site, other_site);
    Seen& seen = seen_[key];
    if (seen.count++) return nullptr;
    seen.order = static_cast<unsigned>(seen_.size());
    return &seen;
}

void Mistakes::race(const Block& block, const Access& access, const Record& now, const Record& earlier) {
    Seen* seen = note(now.site, earlier.site, 'r');
    if (!seen) return;
    const Place here = source_line(access.instruction), there = source_line(sites_.instruction(earlier.site));
    const bool one_block = now.block == earlier.block;
    std::string text = "race on " + name_address(block, access.address) + " in `" + block.grid().launch.name +
                       "`: " + block.thread_name(now.rank) + (one_block ? "" : " of " + block.block_name()) +
                       " " + verb(now) + " at " + describe(here) + ", and " +
                       block.thread_name(earlier.rank) + " of " +
                       (one_block ? block.block_name() : block_of(earlier, block)) + " " + verb(earlier) +
                       " at " + describe(there) + "; " + missing(now, earlier, here, there);
    seen->finding = {"race", text, here};
    seen->other = there;
}

void Mistakes::uninitialised(const Block& block, const Access& access) {
    Seen* seen = note(sites_.number(access.instruction), 0, 'u');
    if (!seen) return;
    const Place here = source_line(access.instruction);
    seen->finding = {"uninitialised",
                     "uninitialised read: " + block.thread_name(block.rank()) + " of " + block.block_name() +
                         " of `" + block.grid().launch.name + "` reads " +
                         name_address(block, access.address) + " at " + describe(here) +
                         ", which nobody has written",
                     here};
}

void Mistakes::report() {
    // Whether the reader of a race comes before the first writer depends on the order that ran: of a line that races it
    // is not said that it also read what nobody had written yet.
    std::set<std::pair<std::string, int>> racing;
    for (const auto& [key, seen] : seen_)
        if (seen.finding.kind == "race")
            for (Place place : {seen.finding.place, seen.other}) racing.insert({place.file, place.line});
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

std::string name_address(const Block& block, const char* address) {
    const std::string shared = block.shared().describe(address);
    if (!shared.empty()) return shared;
    const std::string variable = variable_at(address);
    return variable.empty() ? describe_memory(address) : variable;
}

}  // namespace kit::cpu
