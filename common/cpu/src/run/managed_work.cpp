// Runs prefetches of managed memory, and remembers them until the host has waited for them.
#include "managed_work.hpp"

#include <map>

#include "memory/managed_pages.hpp"
#include "memory/page_advice.hpp"

namespace kit::cpu {
namespace {

auto& prefetches = *new std::map<std::uint64_t, WorkStamp>;
std::uint64_t last_prefetch = 0;

}  // namespace

void enqueue_prefetch(CUstream_st& stream, const void* begin, std::size_t bytes, int processor, Place place) {
    note_prefetch(begin, bytes, processor);
    enqueue(stream, {WorkKind::memory, "cudaMemPrefetchAsync", place}, [begin, bytes, processor] {
        prefetches[++last_prefetch] = work_now();
        prefetch_pages(begin, bytes, processor, last_prefetch);
        return cudaSuccess;
    });
}

std::set<std::uint64_t> unordered_prefetches() {
    std::set<std::uint64_t> unordered;
    if (prefetches.empty()) return unordered;
    const WorkStamp now = work_now();
    for (auto next = prefetches.begin(); next != prefetches.end();) {
        const auto& [number, stamp] = *next;
        if (stamp.id <= work_order().done_up_to()) {
            next = prefetches.erase(next);
            continue;
        }
        if (!work_order().ordered(stamp, now)) unordered.insert(number);
        ++next;
    }
    return unordered;
}

}  // namespace kit::cpu
