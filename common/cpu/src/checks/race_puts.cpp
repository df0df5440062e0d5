// Puts among those who race. One may touch its bytes at any time from its begin until somebody knows that it is done: it is compared
// with what was before as its thread's own access, and leaves records of a name that only its signal, a fence or a wait tells of.
#include <algorithm>
#include <utility>

#include "race_check.hpp"

namespace kit::cpu {
namespace {

Record named(Record record, std::uint32_t number, unsigned part, std::uint32_t clock) {
    record.block = number & (most_blocks - 1);
    record.rank = part & 1023;
    record.clock = clock & most_clock;
    return record;
}

}  // namespace

void RaceCheck::put_begins(const Block& block, const Put& put, const Target& target, bool write) {
    Puts& puts = checks_of(block).puts;
    const Record as_thread = record_of(block, put.rank, put.place, write);
    sites_.note_put(as_thread.site);
    if (!put.bytes) return;  // a signal alone
    if (puts.last.empty()) {
        puts.last.resize(block.threads());
        puts.name_of_written = numbers_->of_copies(as_thread.block);
        puts.name_of_read = numbers_->of_copies(as_thread.block);
    }
    puts.last[put.rank] = as_thread;
    if (put.has_signal && puts.number != put.number) {
        puts.number = put.number;
        puts.name_of_payload = numbers_->of_copies(as_thread.block);
        puts.payloads.push_back({puts.name_of_payload, as_thread});
    }
    const char* const begin = write ? put.to : put.from;
    if (!begin) return;
    check_bytes(block, target, begin, put.bytes, as_thread);
    const std::uint32_t name = !write           ? puts.name_of_read
                               : put.has_signal ? puts.name_of_payload
                                                : puts.name_of_written;
    if (!numbers_->is_of_copies(name) || (!write && !put.reads_later)) return;  // it counts as its thread's
    const bool alone = write && put.has_signal;
    rename(*target.region, owner_of(target), begin, put.bytes, as_thread,
           named(as_thread, name, alone ? 0 : put.rank, alone ? 1 : puts.epoch));
}

/// Who hears the signal comes after it, after the bytes that came with it, and after what its sender had loaded.
void RaceCheck::signal_sent(const Block& block, const Target& target, const Access& access,
                            const Record& as_thread) {
    BlockChecks& checks = checks_of(block);
    Puts& puts = checks.puts;
    Message& message = message_at(target, access.address);
    const KnowledgePtr told = checks.clocks.signal(block.rank(), access.read, message);
    if (puts.number == access.signal) told->threads[thread_key(puts.name_of_payload, 0)] = ~0u;
    if (puts.signals.empty()) {
        puts.signals.resize(block.threads());
        puts.name_of_signals = numbers_->of_copies(as_thread.block);
    }
    if (numbers_->is_of_copies(puts.name_of_signals)) {
        std::uint32_t& sent = puts.signals[block.rank()];
        sent = std::min(sent + 1, most_clock - 1);
        rename(*target.region, owner_of(target), access.address, access.bytes, as_thread,
               named(as_thread, puts.name_of_signals, block.rank(), sent));
        told->threads[thread_key(puts.name_of_signals, block.rank())] = sent + 1;
    }
    BlockClocks::add(message.wide, told);
}

/// Of the block's puts those count that come before: what others put behind its last barrier does not.
void RaceCheck::puts_ordered(const Block& block, bool complete) {
    BlockChecks& checks = checks_of(block);
    BlockClocks& clocks = checks.clocks;
    Puts& puts = checks.puts;
    const unsigned rank = block.rank();
    const auto told = std::make_shared<Knowledge>();
    for (unsigned other = 0; other < puts.last.size(); ++other) {
        if (!puts.last[other].valid || !clocks.before(puts.last[other], rank)) continue;
        told->threads[thread_key(puts.name_of_written, other)] = puts.epoch + 1;
        if (complete) told->threads[thread_key(puts.name_of_read, other)] = puts.epoch + 1;
    }
    for (const Puts::Payload& payload : puts.payloads)
        if (clocks.before(payload.begun, rank)) told->threads[thread_key(payload.name, 0)] = ~0u;
    if (!told->threads.empty()) clocks.learn(rank, told);
    puts.epoch = std::min(puts.epoch + 1, most_clock - 1);
    clocks.fence(rank, Scope::system);
}

}  // namespace kit::cpu
