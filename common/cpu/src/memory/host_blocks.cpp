// The records of host memory: labels in the blocks, a bit map of where blocks begin, and a few blocks that
// are watched.
#include "host_blocks.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unwind.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "host_map.hpp"
#include "source/memory_facts.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {

/// One entry of the table of watched blocks.
struct Watched {
    std::atomic<const char*> begin{nullptr};  ///< address of the watched block while it exists
    std::atomic<bool> freed{false};
    bool taken = false;
    const void* calls[12] = {};  ///< return addresses of the calls that freed the block, innermost first
};

namespace host_map {

std::atomic<Word*> map[pieces];
std::size_t (*usable_bytes)(void*) = nullptr;
std::atomic<int> attention{0};

Word* new_piece(std::atomic<Word*>& slot) {
    void* const memory = mmap(nullptr, piece_words * sizeof(Word), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    Word* known = nullptr;
    if (slot.compare_exchange_strong(known, static_cast<Word*>(memory))) return static_cast<Word*>(memory);
    munmap(memory, piece_words * sizeof(Word));
    return known;
}

}  // namespace host_map

using namespace host_map;

namespace {

/// Returns the last recorded beginning of a block at or before the address; null if there is none within 64
/// GiB.
const char* block_before(const void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number >> address_bits) return nullptr;
    const std::uintptr_t last = number >> granule_shift;
    std::size_t word = (last >> 6) % piece_words;
    std::uint64_t mask = ~std::uint64_t(0) >> (63 - (last & 63));
    std::size_t piece = number >> piece_shift;
    for (int round = 0; round < 64; ++round, --piece, word = piece_words - 1, mask = ~std::uint64_t(0)) {
        if (const Word* const words = map[piece].load(std::memory_order_acquire))
            for (std::size_t i = word + 1; i-- > 0; mask = ~std::uint64_t(0))
                if (const std::uint64_t bits = words[i].load(std::memory_order_relaxed) & mask) {
                    const std::size_t granule =
                        (piece * piece_words + i) * 64 + 63 - static_cast<unsigned>(__builtin_clzll(bits));
                    return reinterpret_cast<const char*>(granule << granule_shift);
                }
        if (piece == 0) break;
    }
    return nullptr;
}

/// Returns the block that begins at `begin`. `space` receives the size that the C library allocated.
HostBlock read_label(const char* begin, std::size_t& space) {
    space = usable_bytes(const_cast<char*>(begin));
    if (space < label_bytes) return {};
    Label label;
    std::memcpy(&label, label_of(begin, space), sizeof label);
    const std::uint64_t bytes = label.bytes_and_maker & low_48, caller = label.caller_and_check & low_48;
    if ((label.caller_and_check & ~low_48) != check_of(begin, label.bytes_and_maker, caller)) return {};
    if (bytes > space - label_bytes) return {};
    return {begin, bytes, static_cast<Maker>(label.bytes_and_maker >> 48),
            reinterpret_cast<const void*>(caller - 1)};
}

std::atomic<int> lookers{0};
thread_local bool looks = false;

struct Looking {
    Looking() {
        looks = true;
        ++attention;
        ++lookers;
    }
    ~Looking() {
        --lookers;
        --attention;
        looks = false;
    }
};

constexpr std::size_t most_watched = 256;
Watched watched[most_watched];
std::mutex watched_mutex;  // for threads that take or release an entry; free() needs no lock

void note_calls(Watched& place) {
    struct State {
        Watched& place;
        std::size_t next;
    } state{place, 0};
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& [place, next] = *static_cast<State*>(out);
            place.calls[next++] = reinterpret_cast<const char*>(_Unwind_GetIP(frame)) - 1;
            return next < std::size(place.calls) ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &state);
}

/// Called in a child process after fork(). A thread that was looking at a block does not exist there.
void after_fork() {
    attention -= lookers.exchange(0);
}

[[gnu::constructor]] void prepare() {
    if (void* const library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD))
        usable_bytes = reinterpret_cast<std::size_t (*)(void*)>(dlsym(library, "malloc_usable_size"));
    pthread_atfork(nullptr, nullptr, after_fork);
}

constexpr const char* names[] = {"malloc",         "calloc", "realloc", "aligned_alloc",
                                 "posix_memalign", "new",    "new[]"};

}  // namespace

void host_map::wait_for_lookers() {
    while (lookers.load() && !looks) sched_yield();
}

void host_map::tell_watchers(const void* begin) {
    for (Watched& place : watched) {
        if (place.begin.load() != begin) continue;
        note_calls(place);
        place.begin = nullptr;
        place.freed = true;
    }
}

HostBlock find_host_block(const void* address) {
    if (!usable_bytes) return {};
    const Looking looking;
    // A copy accesses a block piece by piece, so the block of the previous call is often the right one.
    static std::atomic<const char*> latest{nullptr};
    const auto at = static_cast<const char*>(address);
    for (const char* begin : {latest.load(), block_before(address)}) {
        if (!begin || begin > at) continue;
        if (!bit_of(begin, false).is_set()) continue;
        std::size_t space = 0;
        const HostBlock block = read_label(begin, space);
        if (!block.begin || at >= begin + space) continue;
        latest = begin;
        return block;
    }
    return {};
}

std::size_t bytes_that_may_be_used(void* begin) {
    if (!begin || !usable_bytes) return 0;
    std::size_t space = 0;
    const bool known = bit_of(begin, false).is_set();
    const HostBlock block = known ? read_label(static_cast<char*>(begin), space) : HostBlock{};
    return block.begin ? block.bytes : usable_bytes(begin);
}

facts::Memory memory_of(const HostBlock& block) {
    return host_block(block.bytes, names[static_cast<std::size_t>(block.maker)], source_line(block.caller));
}

BlockWatch::BlockWatch(const HostBlock& block) : block_(block) {
    const std::lock_guard lock(watched_mutex);
    for (Watched& place : watched) {
        if (place.taken) continue;
        place.taken = true;
        place.freed = false;
        for (const void*& call : place.calls) call = nullptr;
        place.begin = block.begin;
        ++attention;
        watched_ = &place;
        return;
    }
}

BlockWatch::~BlockWatch() {
    if (!watched_) return;
    const std::lock_guard lock(watched_mutex);
    watched_->begin = nullptr;
    watched_->taken = false;
    --attention;
}

bool BlockWatch::freed() const {
    return watched_ && watched_->freed;
}

Place BlockWatch::freed_at() const {
    for (const void* const call : watched_->calls)
        if (const Place place = call ? source_line(call) : Place{}; place.line) return place;
    return {};
}

}  // namespace kit::cpu
