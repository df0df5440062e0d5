// Puts among those who race. One may touch its bytes at any time from its begin until somebody knows that it is done: it is compared
// with what was before as its thread's own access, and leaves records of a name that only its signal, a fence or a wait tells of.
#include <algorithm>
#include <utility>

#include "race_check.hpp"

namespace kit::cpu {
namespace {

/// The parts of a put, as threads of a block that has its number.
constexpr unsigned written = 0, read = 1;

Record named(Record record, std::uint32_t number, unsigned part, std::uint32_t clock = 1) {
    record.block = number & (most_blocks - 1);
    record.rank = part & 1023;
    record.clock = clock & most_clock;
    return record;
}

KnowledgePtr knowledge_of(std::uint32_t number, std::initializer_list<unsigned> parts) {
    auto known = std::make_shared<Knowledge>();
    for (const unsigned part : parts) known->threads[thread_key(number, part)] = ~0u;
    return known;
}

}  // namespace

void RaceCheck::put_begins(const Block& block, const Put& put, const Target& target, bool write) {
    BlockChecks& checks = checks_of(block);
    const Record as_thread = record_of(block, put.rank, put.place, write);
    sites_.note_put(as_thread.site);
    if (!put.bytes) return;  // a signal alone
    if (checks.puts.empty() || checks.puts.back().number != put.number)
        checks.puts.push_back({put.number, numbers_->of_copies(as_thread.block), as_thread});
    const char* const begin = write ? put.to : put.from;
    if (!begin) return;
    check_bytes(block, target, begin, put.bytes, as_thread);
    const std::uint32_t number = checks.puts.back().name;
    if (!numbers_->is_of_copies(number) || (!write && !put.reads_later)) return;  // it counts as its thread's
    rename(*target.region, owner_of(target), begin, put.bytes, as_thread,
           named(as_thread, number, write ? written : read));
}

/// Who hears the signal comes after it, after the bytes that came with it, and after what its sender had loaded.
void RaceCheck::signal_sent(const Block& block, const Target& target, const Access& access,
                            const Record& as_thread) {
    BlockChecks& checks = checks_of(block);
    const bool has_payload = !checks.puts.empty() && checks.puts.back().number == access.signal;
    const auto told = std::make_shared<Knowledge>();
    if (has_payload) told->join(*knowledge_of(checks.puts.back().name, {written}));
    if (checks.signals.empty()) {
        checks.signals.resize(block.threads());
        checks.name_of_signals = numbers_->of_copies(as_thread.block);
    }
    if (numbers_->is_of_copies(checks.name_of_signals)) {
        std::uint32_t& sent = checks.signals[block.rank()];
        sent = std::min(sent + 1, most_clock - 1);
        rename(*target.region, owner_of(target), access.address, access.bytes, as_thread,
               named(as_thread, checks.name_of_signals, block.rank(), sent));
        told->threads[thread_key(checks.name_of_signals, block.rank())] = sent + 1;
    }
    told->reads = checks.clocks.all_done(block.rank());
    told->kernels = std::exchange(told->reads->kernels, {});  // which puts its sender has found done
    BlockClocks::add(message_at(target, access.address).wide, told);
}

void RaceCheck::puts_ordered(const Block& block, bool complete) {
    BlockChecks& checks = checks_of(block);
    BlockClocks& clocks = checks.clocks;
    const unsigned rank = block.rank();
    for (const BlockChecks::PutUnderWay& put : checks.puts) {
        if (!clocks.before(put.begun, rank)) continue;
        clocks.learn(rank,
                     complete ? knowledge_of(put.name, {written, read}) : knowledge_of(put.name, {written}));
    }
    clocks.fence(rank, Scope::system);
}

}  // namespace kit::cpu
