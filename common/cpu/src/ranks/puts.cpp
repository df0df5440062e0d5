// Puts of NVSHMEM by kernels. A put lands with its signal, at a fence or a wait of its block, or when the
// PE's host completes the puts that its kernels left in flight.
#include "puts.hpp"

#include <nvshmem.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <utility>

#include "device/devices.hpp"
#include "events.hpp"
#include "memory/buffers.hpp"
#include "memory/memory.hpp"
#include "run/caller.hpp"
#include "run/grid.hpp"
#include "run/pause.hpp"
#include "run/world.hpp"
#include "source/findings.hpp"
#include "symmetric_heap.hpp"

namespace kit::cpu {
namespace {

struct UnderWay {
    Put put;
    std::vector<char> value;  ///< copy of the source, for a put whose source can be reused immediately
    const Grid* grid;         ///< the grid that started the put; null if the grid has ended
    std::uint32_t block;
    int pe;  ///< the PE whose kernel started the put
};
auto& under_way = *new std::list<UnderWay>;
std::uint64_t last_number = 0;

/// The state of a thread that waits for a signal.
struct SignalWait {
    const std::uint64_t* signal;
    int comparison;
    std::uint64_t value;
    const char* what;
    Place place;
    facts::Who thread;
};
/// The threads that wait for signals, by grid and by block and rank.
auto& waits = *new std::map<std::pair<const Grid*, std::uint64_t>, SignalWait>;

std::uint64_t place_in_grid(const Block& block) {
    return std::uint64_t{block.linear_index()} * 1024 + block.rank();
}

/// Returns the address, at `pe`, of the symmetric object that the running thread addresses as `local`. Ends
/// the kernel if there is none.
char* at_pe(const void* local, std::size_t bytes, int pe, const char* what, Place place) {
    const int mine = pe_now();
    if (mine < 0)
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::no_pes, place).by(running_thread()).with("function", what));
    const SymmetricPlace found = symmetric_place(local, bytes, mine, pe, world()->pes);
    if (found.fault == facts::Rule::none) return found.address;
    Finding wrong = finding_about(found.fault, place)
                        .on(place_of_memory(static_cast<const char*>(local)))
                        .with("bytes", bytes)
                        .with("left", found.left)
                        .with("owner", found.owner)
                        .with("pe", pe)
                        .with("last", world()->pes - 1);
    wrong.calls.push_back(call_of_pe(mine, what, place, running_thread()));
    stop_kernel(cudaErrorIllegalAddress, std::move(wrong));
}

Access access_of(const void* address, std::size_t bytes, bool write, const Place& place) {
    Access access;
    access.address = static_cast<const char*>(address);
    access.bytes = static_cast<unsigned>(bytes);
    access.write = write;
    access.place = &place;
    return access;
}

/// Reports a load or store of these bytes by the running thread to the checks.
void touch(const void* address, std::size_t bytes, bool write, const Place& place) {
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < bytes; i += most) {
        Access access =
            access_of(static_cast<const char*>(address) + i, std::min(most, bytes - i), write, place);
        access.natural = false;
        observer().access(*this_worker, access);
    }
}

void land(const UnderWay& one) {
    const Put& put = one.put;
    if (!put.bytes) return;
    std::memcpy(put.to, one.value.empty() ? put.from : one.value.data(), put.bytes);
    if (put.from)
        observer().copied(put.to, put.from, put.bytes);
    else
        observer().written(put.to, put.bytes);
    note_change();
}

/// Lands the puts of the running block. The race check has separate records of their order.
void land_puts_of_block() {
    const Block& block = *this_worker->block;
    for (auto next = under_way.begin(); next != under_way.end();) {
        if (next->grid != &block.grid() || next->block != block.linear_index()) {
            ++next;
            continue;
        }
        land(*next);
        next = under_way.erase(next);
    }
}

/// Creates a put for the running thread.
UnderWay begin(char* to, const void* from, const void* value, std::size_t bytes, bool waits_for_source,
               bool has_signal, Place place) {
    const Block& block = *this_worker->block;
    UnderWay one{{}, {}, &block.grid(), block.linear_index(), pe_now()};
    one.put.to = to;
    one.put.from = static_cast<const char*>(from);
    one.put.bytes = bytes;
    one.put.reads_later = from && !waits_for_source;
    one.put.has_signal = has_signal;
    one.put.rank = block.rank();
    one.put.number = ++last_number;
    one.put.place = place;
    observer().put_begins(*this_worker, one.put);
    const char* const bytes_now = static_cast<const char*>(from ? from : value);
    if (bytes_now && !one.put.reads_later) one.value.assign(bytes_now, bytes_now + bytes);
    return one;
}

void update_signal(char* at, const PutSignal& signal, std::uint64_t number, const Place& place) {
    Access access = access_of(at, sizeof(std::uint64_t), true, place);
    access.atomic = true;
    access.read = signal.operation != NVSHMEM_SIGNAL_SET;
    access.scope = Scope::system;
    access.signal = number;
    observer().access(*this_worker, access);
    auto* const there = reinterpret_cast<std::uint64_t*>(at);
    if (signal.operation == NVSHMEM_SIGNAL_SET)
        __atomic_store_n(there, signal.value, __ATOMIC_SEQ_CST);
    else
        __atomic_fetch_add(there, signal.value, __ATOMIC_SEQ_CST);
    note_change();
}

/// Executes a put that one thread calls, with or without a signal.
void put_by_thread(const PutCall& call, const PutSignal* signal) {
    const Caller block(call.what);
    char* const to = call.bytes ? at_pe(call.to, call.bytes, call.pe, call.what, call.place) : nullptr;
    char* const at = signal ? at_pe(signal->at, sizeof *signal->at, call.pe, call.what, call.place) : nullptr;
    UnderWay one = begin(to, call.from, nullptr, call.bytes, call.waits, signal != nullptr, call.place);
    if (signal) {
        land(one);
        update_signal(at, *signal, one.put.number, call.place);
    } else {
        under_way.push_back(std::move(one));
    }
}

/// Executes a call that several threads make together. The last thread to arrive makes the call, and no thread continues before that. Any of
/// the threads may copy the bytes. So each thread must come after the accesses that the call must not overtake; usually thread 0 waits for
/// these accesses.
void put_by_group(const PutCall& call, const PutSignal* signal) {
    if (call.group == PutGroup::thread) return put_by_thread(call, signal);
    const bool leads = call.group == PutGroup::warp ? warp_lanes() >> lane_id() == 1
                                                    : thread_rank() + 1 == this_worker->block->threads();
    if (leads) put_by_thread(call, signal);
    if (call.group == PutGroup::block)
        block_barrier(call.place, call.what);
    else
        warp_meet(call.what, warp_lanes(), nullptr, nullptr, nullptr, call.place);
}

bool satisfied(std::uint64_t now, int comparison, std::uint64_t value) {
    switch (comparison) {
        case NVSHMEM_CMP_EQ:
            return now == value;
        case NVSHMEM_CMP_NE:
            return now != value;
        case NVSHMEM_CMP_GT:
            return now > value;
        case NVSHMEM_CMP_LE:
            return now <= value;
        case NVSHMEM_CMP_LT:
            return now < value;
        default:
            return now >= value;
    }
}

/// Reads the signal. NVSHMEM's wait for a signal only repeats a load, without a fence, but
/// nvshmem_uint64_wait_until() ends with a fence.
std::uint64_t look_at(const std::uint64_t* signal, bool fences, const Place& place) {
    Access access = access_of(signal, sizeof *signal, false, place);
    access.atomic = access.awaits = true;
    access.acquires = fences;
    access.scope = Scope::system;
    observer().access(*this_worker, access);
    return __atomic_load_n(signal, __ATOMIC_SEQ_CST);
}

template <class T>
std::uint64_t update(RemoteUpdate what, char* at, std::uint64_t value, std::uint64_t expected) {
    auto* const there = reinterpret_cast<T*>(at);
    T old = static_cast<T>(expected);
    switch (what) {
        case RemoteUpdate::add:
            return __atomic_fetch_add(there, static_cast<T>(value), __ATOMIC_SEQ_CST);
        case RemoteUpdate::exchange:
            return __atomic_exchange_n(there, static_cast<T>(value), __ATOMIC_SEQ_CST);
        case RemoteUpdate::compare_exchange:
            __atomic_compare_exchange_n(there, &old, static_cast<T>(value), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
            return old;
        case RemoteUpdate::read:
            return __atomic_load_n(there, __ATOMIC_SEQ_CST);
    }
    return 0;
}

/// Called when a compare-and-swap has found a different value than the expected one. Returns whether the
/// thread expected the same value before. The caller lets other threads run only in that case,
/// because a first failure may be due to a stale expected value.
bool misses_again(const Block& block, const char* at, std::uint64_t expected) {
    struct Missed {
        const Grid* grid;
        std::uint64_t thread;
        const char* at;
        std::uint64_t expected;
    };
    static Missed last = {};  // protected by the API lock
    const Missed now = {&block.grid(), place_in_grid(block), at, expected};
    const bool again = now.grid == last.grid && now.thread == last.thread && now.at == last.at &&
                       now.expected == last.expected;
    last = now;
    return again;
}

bool waits_for_signals(const Grid& grid) {
    const auto first = waits.lower_bound({&grid, 0});
    return first != waits.end() && first->first.first == &grid;
}

Finding signal_in_vain(const Grid& grid) {
    const SignalWait& wait = waits.lower_bound({&grid, 0})->second;
    return finding(facts::Rule::waits_for_nobody, wait.place)
        .by(wait.thread)
        .on(place_of_memory(reinterpret_cast<const char*>(wait.signal), 8))
        .with("function", wait.what)
        .with("pe", pe_now())
        .with("comparison", wait.comparison)
        .with("value", std::to_string(wait.value))
        .with("now", std::to_string(*wait.signal));
}

void puts_outlive(const Grid& grid) {
    for (UnderWay& one : under_way)
        if (one.grid == &grid) one.grid = nullptr;
    waits.erase(waits.lower_bound({&grid, 0}), waits.upper_bound({&grid, ~std::uint64_t{0}}));
}

[[gnu::constructor]] void answer_grids() {
    static constexpr GridPuts answers = {waits_for_signals, signal_in_vain, puts_outlive};
    grid_puts = &answers;
}

}  // namespace

void land_puts_of(int pe) {
    const DeviceAccess access;
    for (auto next = under_way.begin(); next != under_way.end();) {
        const bool lands = next->pe == pe && !next->grid;
        if (lands) land(*next);
        next = lands ? under_way.erase(next) : std::next(next);
    }
}

void forget_puts() {
    under_way.clear();
    waits.clear();
}

void put(const PutCall& call) {
    put_by_group(call, nullptr);
}

void put_signal(const PutCall& call, const PutSignal& signal) {
    put_by_group(call, &signal);
}

void put_value(void* to, const void* value, std::size_t bytes, int pe, const char* what, Place place) {
    const Caller block(what);
    under_way.push_back(begin(at_pe(to, bytes, pe, what, place), nullptr, value, bytes, true, false, place));
}

void send_signal(const PutSignal& signal, int pe, const char* what, Place place) {
    const Caller block(what);
    char* const at = at_pe(signal.at, sizeof *signal.at, pe, what, place);
    const UnderWay nothing = begin(nullptr, nullptr, nullptr, 0, true, true, place);
    update_signal(at, signal, nothing.put.number, place);
}

void get(void* to, const void* from, std::size_t bytes, int pe, const char* what, Place place) {
    const Caller block(what);
    const char* const there = at_pe(from, bytes, pe, what, place);
    touch(there, bytes, false, place);
    touch(to, bytes, true, place);
    std::memmove(to, there, bytes);
}

std::uint64_t get_value(const void* from, std::size_t bytes, int pe, const char* what, Place place) {
    const Caller block(what);
    const char* const there = at_pe(from, bytes, pe, what, place);
    touch(there, bytes, false, place);
    std::uint64_t bits = 0;
    std::memcpy(&bits, there, bytes);
    return bits;
}

std::uint64_t read_signal(const std::uint64_t* signal, const char* what, Place place) {
    const Caller block(what);
    at_pe(signal, sizeof *signal, pe_now(), what, place);
    const std::uint64_t now = look_at(signal, false, place);
    block->yield();  // a polling thread lets other threads run
    return now;
}

std::uint64_t wait_for_signal(const std::uint64_t* signal, int comparison, std::uint64_t value, bool fences,
                              const char* what, Place place) {
    const Caller block(what);
    at_pe(signal, sizeof *signal, pe_now(), what, place);
    std::uint64_t now = look_at(signal, fences, place);
    if (satisfied(now, comparison, value)) return now;
    const std::pair<const Grid*, std::uint64_t> key{&block->grid(), place_in_grid(*block)};
    waits[key] = {signal, comparison, value, what, place, running_thread()};
    while (!satisfied(__atomic_load_n(signal, __ATOMIC_SEQ_CST), comparison, value))
        block->yield_to_signals();
    waits.erase(key);
    return look_at(signal, fences, place);
}

void fence_puts(Place) {
    const Caller block("nvshmem_fence");
    land_puts_of_block();
    observer().puts_ordered(*this_worker, false);
}

void complete_puts(Place) {
    const Caller block("nvshmem_quiet");
    land_puts_of_block();
    observer().puts_ordered(*this_worker, true);
}

std::uint64_t update_remote(RemoteUpdate what, const void* local, unsigned bytes, std::uint64_t value,
                            std::uint64_t expected, int pe, const char* function, Place place) {
    const Caller block(function);
    char* const at = at_pe(local, bytes, pe, function, place);
    Access access = access_of(at, bytes, what != RemoteUpdate::read, place);
    access.atomic = true;
    access.scope = Scope::system;
    this_worker->atomic_begins = what != RemoteUpdate::read;
    if (this_worker->atomic_begins) ++this_worker->counters.atomics;
    observer().access(*this_worker, access);
    this_worker->atomic_begins = false;
    note_change();
    const std::uint64_t before = bytes == 4 ? update<std::uint32_t>(what, at, value, expected)
                                            : update<std::uint64_t>(what, at, value, expected);
    const bool missed = what == RemoteUpdate::compare_exchange && before != expected;
    // After an atomic, the PEs take turns; after the first miss, this thread may try again first.
    if (!missed || misses_again(*block, at, expected)) block->yield();
    return before;
}

int pe_of_caller() {
    return pe_now();
}

int number_of_pes() {
    return world() ? world()->pes : -1;
}

void* remote_pointer(const void* local, int pe) {
    const World* const here = world();
    return here ? symmetric_place(local, 1, pe_now(), pe, here->pes).address : nullptr;
}

}  // namespace kit::cpu
