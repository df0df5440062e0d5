// Device memory: reserves and protects addresses, and allocates with best fit and a gap after every
// allocation.
#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "device/cache_lines.hpp"
#include "device/device.hpp"
#include "device/devices.hpp"
#include "events.hpp"
#include "leaks.hpp"
#include "managed_pages.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t alignment = 256;
// Limits for the gap after each allocation. The gap is as large as the allocation, so that an overrun does
// not reach the next allocation: a thread block at the edge of a matrix can access memory many rows past the
// end.
constexpr std::size_t smallest_gap = 256, largest_gap = std::size_t(16) << 20;
// Large allocations use huge pages, so that changing the protection of 1 GiB takes microseconds instead of
// milliseconds.
constexpr std::size_t huge_page = std::size_t(2) << 20;
constexpr std::size_t poison_limit = std::size_t(64) << 20;
constexpr unsigned char poison = 0xCB;  // as a float -2.67e7, as an int -875836469: neither is a plausible
                                        // result

std::atomic<char*> range_begin{nullptr}, range_end{nullptr};
std::atomic<char*> used_end{nullptr};  // end of the used range: allocations and holes are below this address

// These are never destroyed, because a program may request a report while it ends.
auto& live = *new std::map<const char*, Allocation>;  // existing allocations, by their first byte
auto& holes = *new std::map<char*, std::size_t>;      // free ranges below used_end, by address; adjacent ones
                                                      // are merged
auto& holes_by_size = *new std::set<std::pair<std::size_t, char*>>;  // the same holes, by size
// Number of allocations by each function; true: in kernels.
auto& made = *new std::map<std::pair<std::string, bool>, unsigned>;
auto& released = *new std::deque<Allocation>;  // allocations that were freed most recently, to explain a use
                                               // after free
std::size_t in_use[most_devices] = {}, heap_bytes = 0;

constexpr std::size_t most_guarded = 10'000;  // allocations of host memory between inaccessible pages

std::mutex access_mutex;
int accesses = 0;
char* open_end = nullptr;  // end of the range that is accessible while `accesses` is greater than 0

/// Returns the smallest multiple of `unit` at or above the address.
char* aligned(char* address, std::size_t unit) {
    return reinterpret_cast<char*>(round_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(address), unit));
}

void reserve_range() {
    if (range_begin) return;
    // The memories of all devices are in one range.
    const auto devices = static_cast<std::size_t>(device_count());
    for (std::size_t bytes = devices * device().memory; bytes >= (std::size_t(64) << 20); bytes /= 2) {
        void* range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) continue;  // the address space is limited, so a smaller range is tried
        // The first pages stay inaccessible, so that small negative indices fault.
        used_end = static_cast<char*>(range) + 16 * page;
        range_end = static_cast<char*>(range) + bytes;
        range_begin = static_cast<char*>(range);
        return;
    }
}

void add_hole(char* begin, std::size_t bytes) {
    holes[begin] = bytes;
    holes_by_size.emplace(bytes, begin);
}

std::map<char*, std::size_t>::iterator remove_hole(std::map<char*, std::size_t>::iterator hole) {
    holes_by_size.erase({hole->second, hole->first});
    return holes.erase(hole);
}

/// Returns how much of the device's memory an allocation uses, in bytes. The actual gap after an allocation
/// is larger if enough addresses are left.
std::size_t counted_bytes(std::size_t bytes) {
    return round_up(bytes, alignment) + smallest_gap + (bytes >= 2 * huge_page ? huge_page : 0);
}

/// Returns space for `bytes` and the gap: the smallest hole that is large enough, or new space at the end.
char* take_space(std::size_t bytes) {
    const auto best = holes_by_size.lower_bound({bytes, nullptr});
    if (best != holes_by_size.end()) {
        const auto [space, begin] = *best;
        remove_hole(holes.find(begin));
        if (space > bytes) add_hole(begin + bytes, space - bytes);
        return begin;
    }
    char* begin = used_end;
    if (!range_begin || bytes > static_cast<std::size_t>(range_end - begin)) return nullptr;
    used_end = begin + bytes;
    return begin;
}

void give_space_back(char* begin, std::size_t bytes) {
    auto next = holes.lower_bound(begin);
    if (next != holes.end() && begin + bytes == next->first) {
        bytes += next->second;
        next = remove_hole(next);
    }
    if (next != holes.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == begin) {
            begin = previous->first;
            bytes += previous->second;
            remove_hole(previous);
        }
    }
    if (begin + bytes == used_end)
        used_end = begin;
    else
        add_hole(begin, bytes);
}

Allocation* add(char* begin, std::size_t bytes, MemoryKind kind, const char* made_by, bool on_heap = false) {
    watch_for_leaks();
    Allocation allocation;
    allocation.begin = begin;
    allocation.born = next_birth();
    allocation.bytes = bytes;
    allocation.kind = kind;
    allocation.made_by = made_by;
    allocation.number = ++made[{made_by, on_heap}];
    allocation.device_heap = on_heap;
    allocation.device = current_device();
    if (on_heap) heap_bytes += bytes;
    return &(live[begin] = allocation);
}

}  // namespace

DeviceAccess::DeviceAccess() {
    std::lock_guard lock(access_mutex);
    char* end = aligned(used_end, page);
    if (accesses++ == 0 || end > open_end) {
        if (range_begin && end > range_begin)
            mprotect(range_begin, static_cast<std::size_t>(end - range_begin), PROT_READ | PROT_WRITE);
        open_end = end;
    }
}

DeviceAccess::~DeviceAccess() {
    std::lock_guard lock(access_mutex);
    if (--accesses == 0 && range_begin && open_end > range_begin)
        mprotect(range_begin, static_cast<std::size_t>(open_end - range_begin), PROT_NONE);
}

DeviceWindow::DeviceWindow(const void* begin, std::size_t bytes) {
    std::lock_guard lock(access_mutex);
    if (!in_device_range(begin)) return;
    if (accesses > 0) {  // a kernel is running, and everything is accessible except allocations made since it
                         // started
        char* const end = aligned(const_cast<char*>(static_cast<const char*>(begin)) + bytes, page);
        if (end <= open_end) return;
        open_ = mprotect(open_end, static_cast<std::size_t>(end - open_end), PROT_READ | PROT_WRITE) == 0;
        if (open_) open_end = end;
        return;
    }
    char* const start = const_cast<char*>(static_cast<const char*>(begin));
    first_ = aligned(start - (page - 1), page);
    bytes_ = static_cast<std::size_t>(std::min(aligned(start + bytes, page), range_end.load()) - first_);
    open_ = mprotect(first_, bytes_, PROT_READ | PROT_WRITE) == 0;
}

DeviceWindow::~DeviceWindow() {
    std::lock_guard lock(access_mutex);
    if (first_ && accesses == 0) mprotect(first_, bytes_, PROT_NONE);
}

AddressRange device_range() {
    return {range_begin, range_end};
}

bool in_device_range(const void* address) {
    return range_begin && address >= range_begin.load() && address < range_end.load();
}

Allocation* allocation_at(const void* begin) {
    const auto found = live.find(static_cast<const char*>(begin));
    return found == live.end() ? nullptr : &found->second;
}

namespace {

std::ptrdiff_t offset_in(const Allocation& allocation, const char* address) {
    return address - allocation.begin;
}

facts::Memory place_in(const Allocation& allocation, std::ptrdiff_t offset, std::size_t width) {
    facts::Memory memory = place_in(static_cast<const AllocationFacts&>(allocation), offset, width);
    memory.dormant = allocation.dormant && memory.position == facts::Memory::Position::inside;
    return memory;
}

}  // namespace

const Allocation* freed_allocation(const void* begin) {
    for (auto gone = released.rbegin(); gone != released.rend(); ++gone)
        if (gone->begin == begin) return &*gone;
    return nullptr;
}

facts::Memory place_near(const void* address, std::size_t width) {
    const char* const byte = static_cast<const char*>(address);
    constexpr std::ptrdiff_t near = std::ptrdiff_t(16) << 20;
    const Allocation *before = nullptr, *after = nullptr;
    const auto next = live.upper_bound(byte);
    if (next != live.end()) after = &next->second;
    if (next != live.begin()) before = &std::prev(next)->second;
    if (before && byte < before->begin + before->bytes)
        return place_in(*before, offset_in(*before, byte), width);
    const bool in_gap = before && before->space && byte < before->space + before->space_bytes;
    for (auto gone = released.rbegin(); gone != released.rend() && !in_gap; ++gone)
        if (byte >= gone->begin && byte < gone->begin + gone->bytes) {
            facts::Memory memory = memory_of(*gone);
            memory.freed = true;
            return memory;
        }
    const std::ptrdiff_t past = before ? byte - (before->begin + before->bytes) : near;
    const std::ptrdiff_t ahead = after ? after->begin - byte : near;
    if (past < near && past <= ahead) return place_in(*before, offset_in(*before, byte), width);
    if (ahead < near) return place_in(*after, offset_in(*after, byte), width);
    return {};
}

Allocation* allocate_device(std::size_t bytes, const char* made_by, bool on_heap) {
    reserve_range();
    if (bytes > total_device_memory()) return nullptr;
    const bool large = bytes >= 2 * huge_page;
    const std::size_t needed = counted_bytes(bytes);
    if (device_count() > 1 && needed > free_device_memory()) return nullptr;
    std::size_t space_bytes =
        needed - smallest_gap + round_up(std::clamp(bytes, smallest_gap, largest_gap), alignment);
    char* space = take_space(space_bytes);
    if (!space) space = take_space(space_bytes = needed);
    if (!space) return nullptr;
    char* const begin = large ? aligned(space, huge_page) : space;
    {
        const DeviceWindow window(space, space_bytes);
        if (!window.is_open()) {  // the operating system has no memory for it
            give_space_back(space, space_bytes);
            return nullptr;
        }
        if (large) madvise(begin, bytes / huge_page * huge_page, MADV_HUGEPAGE);
        if (bytes <= poison_limit)
            std::memset(
                begin, poison,
                std::min(bytes + smallest_gap, static_cast<std::size_t>(space + space_bytes - begin)));
    }
    observer().allocated(begin, bytes);
    in_use[current_device()] += needed;
    evict_if_full(current_device());
    Allocation* allocation = add(begin, bytes, MemoryKind::device, made_by, on_heap);
    allocation->space = space;
    allocation->space_bytes = space_bytes;
    return allocation;
}

Allocation* allocate_host(std::size_t bytes, MemoryKind kind, const char* made_by) {
    if (bytes > (std::size_t(1) << 46)) return nullptr;
    const std::size_t space = round_up(bytes, page);
    // An inaccessible page costs a mapping, and Linux allows a process 65,530 of them.
    const bool is_guarded = live.size() < most_guarded;
    void* range = mmap(nullptr, space + 2 * page, is_guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (range == MAP_FAILED) return nullptr;
    char* begin = static_cast<char*>(range) + page;
    if (is_guarded && mprotect(begin, space, PROT_READ | PROT_WRITE) != 0) {
        munmap(range, space + 2 * page);
        return nullptr;
    }
    Allocation* const allocation = add(begin, bytes, kind, made_by);
    if (kind == MemoryKind::managed) follow(*allocation);
    return allocation;
}

Allocation* note_memory(void* begin, std::size_t bytes, MemoryKind kind, const char* made_by) {
    return add(static_cast<char*>(begin), bytes, kind, made_by);
}

Allocation* find_allocation(const void* address) {
    const char* const byte = static_cast<const char*>(address);
    const auto next = live.upper_bound(byte);
    if (next == live.begin()) return nullptr;
    Allocation& candidate = std::prev(next)->second;
    return byte < candidate.begin + candidate.bytes ? &candidate : nullptr;
}

void release(Allocation* allocation) {
    const Allocation gone = *allocation;
    live.erase(gone.begin);
    observer().freed();
    if (gone.kind == MemoryKind::device) lines_freed(gone.begin, gone.bytes);
    forget_names(gone.begin, gone.bytes);
    if (gone.symbol || gone.registered) return;
    if (gone.kind != MemoryKind::device) {
        unfollow(gone);
        forget_advice(gone);
        munmap(gone.begin - page, round_up(gone.bytes, page) + 2 * page);
        return;
    }
    in_use[gone.device] -= counted_bytes(gone.bytes);
    if (gone.device_heap) heap_bytes -= gone.bytes;
    give_space_back(gone.space, gone.space_bytes);
    if (gone.bytes > poison_limit) {  // returns the pages to the operating system
        char* const first = aligned(gone.begin, page);
        madvise(first, static_cast<std::size_t>(gone.begin + gone.bytes - first) / page * page,
                MADV_DONTNEED);
    }
    released.push_back(gone);
    if (released.size() > 64) released.pop_front();
}

void release_everything(int device) {
    for (auto next = live.begin(); next != live.end();) {
        Allocation& allocation = (next++)->second;
        if (allocation.device == device) release(&allocation);
    }
}

std::size_t total_device_memory() {
    reserve_range();
    return static_cast<std::size_t>(range_end - range_begin) / static_cast<std::size_t>(device_count());
}

std::vector<Allocation> live_allocations() {
    std::vector<Allocation> all;
    for (const auto& [begin, allocation] : live)
        if (!allocation.symbol && !allocation.registered && !allocation.dormant) all.push_back(allocation);
    return all;
}

std::size_t stream_ordered_bytes() {
    std::size_t bytes = 0;
    for (const auto& [begin, allocation] : live)
        if (allocation.stream_ordered) bytes += allocation.bytes;
    return bytes;
}

std::size_t device_heap_bytes() {
    return heap_bytes;
}

std::size_t free_device_memory() {
    return memory_left(current_device());
}

std::size_t memory_left(int device) {
    return total_device_memory() - in_use[device] - static_cast<std::size_t>(16 * page);
}

}  // namespace kit::cpu
