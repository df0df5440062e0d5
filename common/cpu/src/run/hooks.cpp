// The functions that the compiler calls for every load, store and atomic in code built with
// -fsanitize=thread. These functions create events for the checks. The functions have the names of those in
// the sanitizer's library, which is not linked.
#include <cstdint>
#include <cstring>
#include <utility>

#include "builtin_variables.hpp"
#include "events.hpp"
#include "host_watch.hpp"
#include "stream.hpp"
#include "worker.hpp"

using kit::cpu::Access;
using kit::cpu::OlderValue;
using kit::cpu::Scope;
using kit::cpu::Worker;

namespace {

// Marks the code of this file as executor code. This code uses the same templates of the standard library as
// the student's code, and the linker may have kept the instrumented version of a template.
class Inside {
  public:
    explicit Inside(Worker& worker) : worker_(worker) { worker_.in_executor = true; }
    ~Inside() {
        worker_.in_executor = false;
        if (worker_.late) kit::cpu::stop_late_thread(worker_);
    }

  private:
    Worker& worker_;
};

inline Worker* checked_worker() {
    if (!kit::cpu::observed()) return nullptr;
    Worker* worker = kit::cpu::this_worker;
    return worker && worker->in_thread && !worker->in_executor ? worker : nullptr;
}

/// Handles host code that reads one address repeatedly: this counts as waiting, and queued work runs only
/// when the host waits.
void notice_polling(const volatile void* address, const void* instruction) {
    constexpr unsigned reads_of_one_who_waits = 1000;
    static thread_local const volatile void* last_address = nullptr;
    static thread_local const void* last_instruction = nullptr;
    static thread_local unsigned reads = 0;
    if (address != last_address || instruction != last_instruction) reads = 0;
    last_address = address;
    last_instruction = instruction;
    if (++reads % reads_of_one_who_waits == 0) kit::cpu::run_for_polling_host(address);
}

/// Returns whether host code is running whose accesses are checked at present, which is rare.
inline bool watched_host() {
    return kit::cpu::host_watch.load(std::memory_order_relaxed) != 0 &&
           !(kit::cpu::this_worker && kit::cpu::this_worker->in_thread);
}

void host_access(const Access& access) {
    if (!access.write || (access.atomic && access.read)) notice_polling(access.address, access.instruction);
    kit::cpu::observer().host_access(access);
}

/// The caller of a hook: an instruction and the frame of its function.
struct From {
    const void* instruction;
    const void* frame;
    bool of_barrier = false;
};

inline void plain(const void* address, unsigned bytes, bool write, bool natural, From from,
                  bool is_volatile = false) {
    Worker* worker = checked_worker();
    if (worker ? kit::cpu::is_thread_local(address) : !watched_host()) return;
    if (worker && !worker->block->reports_accesses && !is_volatile) {
        worker->at = from.instruction;
        return;
    }
    Access access;
    access.address = static_cast<const char*>(address);
    access.bytes = bytes;
    access.write = write;
    access.natural = natural;
    access.is_volatile = is_volatile;
    access.whole = bytes == 16 || !natural;
    access.instruction = from.instruction;
    access.frame = from.frame;
    access.of_barrier = from.of_barrier;
    if (!worker) return host_access(access);
    const Inside inside(*worker);
    worker->at = from.instruction;
    kit::cpu::observer().access(*worker, access);
}

/// Handles an access in the common case. Returns false if the access needs further checks.
[[gnu::always_inline]] inline bool is_done(const void* address, unsigned bytes, bool write,
                                           const void* instruction) {
    Worker* const worker = checked_worker();
    if (!worker) return !watched_host();
    if (kit::cpu::is_thread_local(address)) return true;
    worker->at = instruction;
    if (!worker->block->reports_accesses) return true;
    const Inside inside(*worker);
    return kit::cpu::observer().plain_access(*worker, static_cast<const char*>(address), bytes, write,
                                             instruction);
}

/// Reports the access to a struct that is copied as a whole.
void range(void* address, unsigned long bytes, bool write, From from) {
    if (!checked_worker() && !watched_host()) return;
    constexpr unsigned long most = 16;
    for (unsigned long i = 0; i < bytes; i += most)
        plain(static_cast<char*>(address) + i, static_cast<unsigned>(bytes - i < most ? bytes - i : most),
              write, false, from);
}

/// Handles a thread that waits for another thread by repeating one load. Such a load counts as many loads, so
/// the thread soon lets other threads run. Otherwise, hundreds of blocks that wait for each other would
/// repeat millions of loads.
inline void notice_waiting(Worker& worker, const volatile void* address, const void* instruction) {
    constexpr unsigned as_many = kit::cpu::atomics_before_yield / 20;
    const kit::cpu::Look look{address, instruction, worker.block, worker.block->rank()};
    if (look == worker.last_look) worker.busy_atomics += as_many;
    worker.last_look = look;
}

inline void wait_politely(const void* address, const void* instruction) {
    Worker* worker = kit::cpu::this_worker;
    if (!worker || !worker->in_thread) return;
    notice_waiting(*worker, address, instruction);
    if (++worker->busy_atomics < kit::cpu::atomics_before_yield) return;
    worker->busy_atomics = 0;
    const Inside inside(*worker);
    worker->block->yield();
}

inline bool acquires(int order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}
inline bool releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// Called before a load whose value can depend on the order of threads. Lets threads that may write the value
/// run first, so that a missing release or acquire shows in every schedule.
void let_writers_run(Worker& worker, const Access& access) {
    const unsigned scope = worker.scope_hint;
    while (kit::cpu::observer().should_wait(worker, access)) worker.block->yield();
    worker.scope_hint = scope;
}

void atomic(const volatile void* address, unsigned bytes, bool write, int order, From from, bool read = true,
            OlderValue* older = nullptr, bool drops_old = false) {
    Worker* worker = checked_worker();
    if (!worker && !watched_host()) return;
    Access access;
    access.address = const_cast<const char*>(static_cast<const volatile char*>(address));
    access.bytes = bytes;
    access.write = write;
    access.read = read;
    access.drops_old = drops_old;
    access.atomic = true;
    access.instruction = from.instruction;
    access.frame = from.frame;
    access.of_barrier = from.of_barrier;
    if (!worker) return host_access(access);
    const Inside inside(*worker);
    access.scope = static_cast<Scope>(worker->scope_hint);
    access.acquires = read && acquires(order);
    access.releases = write && releases(order);
    access.sequential = order == __ATOMIC_SEQ_CST;
    if (older && !worker->atomic_begins) {  // the load at the start of an atomic update is part of the update
        access.older = older;
        notice_waiting(*worker, address, from.instruction);
        let_writers_run(*worker, access);
    }
    worker->at = from.instruction;
    kit::cpu::observer().access(*worker, access);
}

void exchange(const volatile void* address, unsigned bytes, int order, From from) {
    Worker* const worker = checked_worker();
    const bool drops_old = worker && std::exchange(worker->drops_old_value, false);
    atomic(address, bytes, true, order, from, true, nullptr, drops_old);
}

}  // namespace

// The return address is after the call; the byte before it belongs to the line of the call.
#define KIT_HERE                                                                         \
    From {                                                                               \
        static_cast<const char*>(__builtin_return_address(0)) - 1, __builtin_dwarf_cfa() \
    }

unsigned kit::cpu::note_round(unsigned function, unsigned level) {
    if (Worker* const worker = checked_worker()) {
        const From from = KIT_HERE;
        const Inside inside(*worker);
        kit::cpu::observer().round(*worker, {function, level, from.instruction, from.frame});
    }
    return level;
}

#define KIT_PLAIN(bytes)                                                            \
    void __tsan_read##bytes(void* address) {                                        \
        const From from = KIT_HERE;                                                 \
        if (bytes >= 4 && is_done(address, bytes, false, from.instruction)) return; \
        plain(address, bytes, false, true, from);                                   \
    }                                                                               \
    void __tsan_write##bytes(void* address) {                                       \
        const From from = KIT_HERE;                                                 \
        if (bytes >= 4 && is_done(address, bytes, true, from.instruction)) return;  \
        plain(address, bytes, true, true, from);                                    \
    }                                                                               \
    void __tsan_unaligned_read##bytes(void* address) {                              \
        plain(address, bytes, false, false, KIT_HERE);                              \
    }                                                                               \
    void __tsan_unaligned_write##bytes(void* address) {                             \
        plain(address, bytes, true, false, KIT_HERE);                               \
    }                                                                               \
    void __tsan_volatile_read##bytes(void* address) {                               \
        plain(address, bytes, false, true, KIT_HERE, true);                         \
        wait_politely(address, KIT_HERE.instruction);                               \
    }                                                                               \
    void __tsan_volatile_write##bytes(void* address) {                              \
        plain(address, bytes, true, true, KIT_HERE, true);                          \
    }                                                                               \
    void __tsan_unaligned_volatile_read##bytes(void* address) {                     \
        plain(address, bytes, false, false, KIT_HERE, true);                        \
    }                                                                               \
    void __tsan_unaligned_volatile_write##bytes(void* address) {                    \
        plain(address, bytes, true, false, KIT_HERE, true);                         \
    }

#define KIT_ATOMIC_UPDATE(bits, T, name)                                      \
    T __tsan_atomic##bits##_##name(volatile T* address, T value, int order) { \
        atomic(address, sizeof(T), true, order, KIT_HERE);                    \
        return __atomic_##name(address, value, __ATOMIC_SEQ_CST);             \
    }

#define KIT_ATOMIC(bits, T)                                                                                  \
    T __tsan_atomic##bits##_load(const volatile T* address, int order) {                                     \
        OlderValue older;                                                                                    \
        atomic(address, sizeof(T), false, order, KIT_HERE, true, &older);                                    \
        if (!older.given) return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                 \
        T value;                                                                                             \
        std::memcpy(&value, older.bytes, sizeof(T));                                                         \
        return value;                                                                                        \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {                              \
        atomic(address, sizeof(T), true, order, KIT_HERE, false);                                            \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                                        \
    T __tsan_atomic##bits##_exchange(volatile T* address, T value, int order) {                              \
        exchange(address, sizeof(T), order, KIT_HERE);                                                       \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                                        \
    KIT_ATOMIC_UPDATE(bits, T, fetch_add)                                                                    \
    KIT_ATOMIC_UPDATE(bits, T, fetch_sub)                                                                    \
    KIT_ATOMIC_UPDATE(bits, T, fetch_and)                                                                    \
    KIT_ATOMIC_UPDATE(bits, T, fetch_or)                                                                     \
    KIT_ATOMIC_UPDATE(bits, T, fetch_xor)                                                                    \
    KIT_ATOMIC_UPDATE(bits, T, fetch_nand)                                                                   \
    bool __tsan_atomic##bits##_compare_exchange_strong(volatile T* address, T* expected, T value, int order, \
                                                       int) {                                                \
        atomic(address, sizeof(T), true, order, KIT_HERE);                                                   \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                                \
    }                                                                                                        \
    bool __tsan_atomic##bits##_compare_exchange_weak(volatile T* address, T* expected, T value, int order,   \
                                                     int) {                                                  \
        atomic(address, sizeof(T), true, order, KIT_HERE);                                                   \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                                \
    }                                                                                                        \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T value, int order, int) { \
        atomic(address, sizeof(T), true, order, KIT_HERE);                                                   \
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        return expected;                                                                                     \
    }

void kit::cpu::kernel_reads(const void* from, std::size_t bytes, const void* instruction, const void* frame) {
    range(const_cast<void*>(from), bytes, false, {instruction, frame});
}

#define KIT_OF_BARRIER                                                                         \
    From {                                                                                     \
        static_cast<const char*>(__builtin_return_address(0)) - 1, __builtin_dwarf_cfa(), true \
    }

void kit::cpu::barrier_init(BarrierState& barrier, long long expected) {
    range(&barrier, sizeof barrier, true, KIT_OF_BARRIER);
    barrier = {expected, expected, 0, 0};
    if (this_worker) ++this_worker->counters.barriers_made;
}

void kit::cpu::note_notify(const volatile void* address) {
    Worker* const worker = this_worker;
    ++worker->counters.notifies;
    observer().notified(*worker, const_cast<const char*>(static_cast<const volatile char*>(address)));
}

unsigned kit::cpu::barrier_phase(const BarrierState& barrier) {
    atomic(&barrier.phase, sizeof barrier.phase, false, __ATOMIC_RELAXED, KIT_OF_BARRIER);
    return __atomic_load_n(&barrier.phase, __ATOMIC_RELAXED);
}

extern "C" {

KIT_PLAIN(1)
KIT_PLAIN(2)
KIT_PLAIN(4)
KIT_PLAIN(8)
KIT_PLAIN(16)

void __tsan_read_range(void* address, unsigned long bytes) {
    range(address, bytes, false, KIT_HERE);
}
void __tsan_write_range(void* address, unsigned long bytes) {
    range(address, bytes, true, KIT_HERE);
}

void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void** address) {
    plain(address, sizeof *address, false, true, KIT_HERE);
}
void __tsan_vptr_update(void** address, void*) {
    plain(address, sizeof *address, true, true, KIT_HERE);
}

KIT_ATOMIC(8, std::uint8_t)
KIT_ATOMIC(16, std::uint16_t)
KIT_ATOMIC(32, std::uint32_t)
KIT_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (order == __ATOMIC_RELAXED) return;
    if (Worker* worker = checked_worker()) {
        const Inside inside(*worker);
        kit::cpu::observer().fence(*worker, static_cast<Scope>(worker->scope_hint));
    }
}
void __tsan_atomic_signal_fence(int) {}

// The functions that CUDA code calls under the names memset, memcpy and memmove (kit_cpu/bytes.hpp).
void* kit_cpu_memset(void* to, int value, unsigned long bytes) {
    range(to, bytes, true, KIT_HERE);
    return std::memset(to, value, bytes);
}
void* kit_cpu_memcpy(void* to, const void* from, unsigned long bytes) {
    range(const_cast<void*>(from), bytes, false, KIT_HERE);
    range(to, bytes, true, KIT_HERE);
    return std::memcpy(to, from, bytes);
}
void* kit_cpu_memmove(void* to, const void* from, unsigned long bytes) {
    range(const_cast<void*>(from), bytes, false, KIT_HERE);
    range(to, bytes, true, KIT_HERE);
    return std::memmove(to, from, bytes);
}

}  // extern "C"
