// Races of puts. A put may access its bytes at any time between its start and the signal, fence or wait that
// orders it. Accesses before the start of a put are compared with the put as with an access by its thread.
// The records that it leaves have epochs that only these three cover.
#include <algorithm>
#include <utility>

#include "race_check.hpp"

namespace kit::cpu {
namespace {

Record with_epoch(Record record, std::uint32_t number, unsigned part, std::uint32_t clock) {
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
    if (!put.bytes) return;  // a signal alone has no bytes
    if (puts.last.empty()) {
        puts.last.resize(block.threads());
        puts.number_of_written = numbers_->of_copies(as_thread.block);
        puts.number_of_read = numbers_->of_copies(as_thread.block);
    }
    puts.last[put.rank] = as_thread;
    if (put.has_signal && puts.number != put.number) {
        puts.number = put.number;
        puts.number_of_payload = numbers_->of_copies(as_thread.block);
        puts.payloads.push_back({puts.number_of_payload, as_thread});
    }
    const char* const begin = write ? put.to : put.from;
    if (!begin) return;
    check_bytes(block, target, begin, put.bytes, as_thread);
    const std::uint32_t number = !write           ? puts.number_of_read
                                 : put.has_signal ? puts.number_of_payload
                                                  : puts.number_of_written;
    if (!numbers_->is_of_copies(number) || (!write && !put.reads_later))
        return;  // no number is left for puts, so the put counts as an access by its thread
    const bool alone = write && put.has_signal;
    replace(*target.region, work_of(target), begin, put.bytes, as_thread,
            with_epoch(as_thread, number, alone ? 0 : put.rank, alone ? 1 : puts.clock));
}

/// Records a signal. A PE that has waited for the signal is ordered after the signal, the bytes that were
/// sent with it, and the loads of its sender.
void RaceCheck::signal_sent(const Block& block, const Target& target, const Access& access,
                            const Record& as_thread) {
    BlockChecks& checks = checks_of(block);
    Puts& puts = checks.puts;
    SyncVar& variable = sync_var_at(target, access.address);
    const VectorClockPtr released = checks.clocks.signal(block.rank(), access.read, variable);
    if (puts.number == access.signal) released->threads[thread_key(puts.number_of_payload, 0)] = ~0u;
    if (puts.signals.empty()) {
        puts.signals.resize(block.threads());
        puts.number_of_signals = numbers_->of_copies(as_thread.block);
    }
    if (numbers_->is_of_copies(puts.number_of_signals)) {
        std::uint32_t& sent = puts.signals[block.rank()];
        sent = std::min(sent + 1, most_clock - 1);
        replace(*target.region, work_of(target), access.address, access.bytes, as_thread,
                with_epoch(as_thread, puts.number_of_signals, block.rank(), sent));
        released->threads[thread_key(puts.number_of_signals, block.rank())] = sent + 1;
    }
    BlockClocks::join(variable.released, released);
}

/// Orders the puts of the block that happen before this step. Puts by other threads since the block's last
/// barrier are not ordered.
void RaceCheck::puts_ordered(const Block& block, bool complete) {
    BlockChecks& checks = checks_of(block);
    BlockClocks& clocks = checks.clocks;
    Puts& puts = checks.puts;
    const unsigned rank = block.rank();
    const auto ordered = std::make_shared<VectorClock>();
    for (unsigned other = 0; other < puts.last.size(); ++other) {
        if (!puts.last[other].valid || !clocks.happens_before(puts.last[other], rank)) continue;
        ordered->threads[thread_key(puts.number_of_written, other)] = puts.clock + 1;
        if (complete) ordered->threads[thread_key(puts.number_of_read, other)] = puts.clock + 1;
    }
    for (const Puts::Payload& payload : puts.payloads)
        if (clocks.happens_before(payload.begun, rank)) ordered->threads[thread_key(payload.number, 0)] = ~0u;
    if (!ordered->threads.empty()) clocks.acquire(rank, ordered);
    puts.clock = std::min(puts.clock + 1, most_clock - 1);
    clocks.fence(rank, Scope::system);
}

}  // namespace kit::cpu
