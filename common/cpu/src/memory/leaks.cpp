// The reports of leaks.
#include "leaks.hpp"

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "device/error.hpp"
#include "device/lock.hpp"
#include "memory.hpp"
#include "run/event.hpp"
#include "run/stream.hpp"
#include "words/finding.hpp"
#include "words/free_words.hpp"
#include "words/leak_words.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_named = 5;
std::uint64_t last_birth = 0;

void report_leaks() {
    const std::lock_guard lock(api_mutex());
    if (sticky_error() != cudaSuccess) return;  // nothing could be freed any more
    const std::vector<Allocation> leaked = live_allocations();
    for (std::size_t i = 0; i < leaked.size() && i < most_named; ++i) add_finding(never_freed(leaked[i]));
    if (leaked.size() > most_named) add_finding(more_never_freed(leaked.size() - most_named));
}

}  // namespace

std::uint64_t next_birth() {
    return ++last_birth;
}

Made things_made() {
    const std::lock_guard lock(api_mutex());
    return {last_birth, live_allocations().size() + all_streams().size() + live_events().size()};
}

std::vector<Finding> left_since(const Made& moment) {
    const std::lock_guard lock(api_mutex());
    std::vector<Finding> left;
    if (sticky_error() != cudaSuccess) return left;  // nothing could be destroyed any more
    for (const Allocation& allocation : live_allocations())
        if (allocation.born > moment.so_far) left.push_back(never_freed_again(allocation));
    for (const CUstream_st* stream : all_streams())
        if (stream->born > moment.so_far)
            left.push_back(never_destroyed("stream", "cudaStreamDestroy", stream->made_at));
    for (const CUevent_st* event : live_events())
        if (event->born > moment.so_far)
            left.push_back(never_destroyed("event", "cudaEventDestroy", event->made_at));
    return left;
}

void watch_for_leaks() {
    static const bool watching = [] {
        const char* const wanted = std::getenv("KIT_LEAKS");
        return wanted && std::strcmp(wanted, "1") == 0 && std::atexit(report_leaks) == 0;
    }();
    (void)watching;
}

}  // namespace kit::cpu
