// Stores the cache hints of the process: one simulated L2 cache, protected by one lock.
#include "cache_lines.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "device.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_launches = 1000;

std::mutex mutex;
PersistingLines& lines = *new PersistingLines;  // never destroyed, because a report reads it when the process
                                                // ends
CacheHints& hints = *new CacheHints;

std::uintptr_t address_of(const volatile void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}
std::uintptr_t line_begin(std::uintptr_t address) {
    return address / cache_line_bytes * cache_line_bytes;
}
std::uintptr_t line_end(std::uintptr_t address) {
    return line_begin(address + cache_line_bytes - 1);
}

std::tuple<bool, const void*, int> identity(const PersistingLines::Piece& piece) {
    return {piece.window, piece.place.instruction, piece.place.line};
}
bool made_by_one(const PersistingLines::Piece& a, const PersistingLines::Piece& b) {
    return identity(a) == identity(b);
}

bool is_property(int property) {
    return property >= cudaAccessPropertyNormal && property <= cudaAccessPropertyPersisting;
}

}  // namespace

void PersistingLines::cut(std::uintptr_t begin, std::uintptr_t end) {
    auto at = pieces_.upper_bound(begin);
    if (at != pieces_.begin()) --at;
    while (at != pieces_.end() && at->second.begin < end) {
        if (at->second.end <= begin) {
            ++at;
            continue;
        }
        const Piece old = at->second;
        at = pieces_.erase(at);
        if (old.begin < begin) {
            Piece before = old;
            before.end = begin;
            pieces_.emplace(before.begin, std::move(before));
        }
        if (end < old.end) {
            Piece after = old;
            after.begin = end;
            pieces_.emplace(after.begin, std::move(after));
            return;
        }
    }
}

void PersistingLines::add(const volatile void* begin, std::size_t bytes, const Piece& by) {
    if (!bytes) return;
    Piece piece = by;
    piece.begin = line_begin(address_of(begin));
    piece.end = line_end(address_of(begin) + bytes);
    cut(piece.begin, piece.end);
    // Adjacent pieces with the same cause are joined, so that a sweep over an array is one piece.
    auto next = pieces_.lower_bound(piece.end);
    if (next != pieces_.end() && next->second.begin == piece.end && made_by_one(next->second, piece)) {
        piece.end = next->second.end;
        next = pieces_.erase(next);
    }
    if (next != pieces_.begin()) {
        Piece& before = std::prev(next)->second;
        if (before.end == piece.begin && made_by_one(before, piece)) {
            before.end = piece.end;
            return;
        }
    }
    pieces_.emplace(piece.begin, std::move(piece));
}

void PersistingLines::remove(const volatile void* begin, std::size_t bytes) {
    if (bytes) cut(line_begin(address_of(begin)), line_end(address_of(begin) + bytes));
}

std::size_t PersistingLines::bytes() const {
    std::size_t sum = 0;
    for (const auto& [begin, piece] : pieces_) sum += piece.end - begin;
    return sum;
}

std::vector<PersistingLines::Piece> PersistingLines::by_place() const {
    std::vector<Piece> sums;
    for (const auto& [begin, piece] : pieces_) {
        const auto same =
            std::find_if(sums.begin(), sums.end(), [&](const Piece& sum) { return made_by_one(sum, piece); });
        if (same != sums.end()) {
            same->end += piece.end - piece.begin;
            continue;
        }
        sums.push_back(piece);
        sums.back().end -= std::exchange(sums.back().begin, 0);
    }
    return sums;
}

cudaError_t check_window(const cudaAccessPolicyWindow& window) {
    if (!(window.hitRatio >= 0 && window.hitRatio <= 1)) return cudaErrorInvalidValue;
    if (window.num_bytes > static_cast<std::size_t>(device().access_window_bytes))
        return cudaErrorInvalidValue;
    if (!is_property(window.hitProp) || !is_property(window.missProp)) return cudaErrorInvalidValue;
    return window.missProp == cudaAccessPropertyPersisting ? cudaErrorInvalidValue : cudaSuccess;
}

void kernel_ran_under(const cudaAccessPolicyWindow& window, const std::string& kernel, Place launch) {
    const std::lock_guard lock(mutex);
    if (hints.launches.size() == most_launches) hints.launches.erase(hints.launches.begin());
    hints.launches.push_back({kernel, window, device_limit(cudaLimitPersistingL2CacheSize), launch});
    if (makes_lines_persist(window))
        lines.add(window.base_ptr, window.num_bytes, {0, 0, kernel, launch, true});
    else if (window.hitProp == cudaAccessPropertyNormal && window.hitRatio == 1)
        lines.remove(window.base_ptr, window.num_bytes);
}

void property_asked_for(const volatile void* begin, std::size_t bytes, cudaAccessProperty property,
                        const std::string& kernel, Place place) {
    const std::lock_guard lock(mutex);
    if (property == cudaAccessPropertyPersisting)
        lines.add(begin, bytes, {0, 0, kernel, place, false});
    else if (property == cudaAccessPropertyNormal)
        lines.remove(begin, bytes);
}

void count_annotated(cudaAccessProperty property) {
    const std::lock_guard lock(mutex);
    ++(property == cudaAccessPropertyPersisting  ? hints.persisting
       : property == cudaAccessPropertyStreaming ? hints.streaming
                                                 : hints.normal);
}

void count_applied(std::uint64_t applied) {
    const std::lock_guard lock(mutex);
    hints.applied_lines += applied;
}

void count_discarded(const volatile void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const std::uintptr_t first = line_end(address_of(begin)), end = line_begin(address_of(begin) + bytes);
    const std::uint64_t whole = end > first ? (end - first) / cache_line_bytes : 0;
    hints.discarded_lines += whole;
    hints.kept_bytes += bytes - whole * cache_line_bytes;
    if (whole) lines.remove(reinterpret_cast<const void*>(first), end - first);
}

void persisting_lines_reset() {
    const std::lock_guard lock(mutex);
    ++hints.resets;
    lines.clear();
}

void lines_freed(const volatile void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    lines.remove(begin, bytes);
}

std::vector<PersistingLines::Piece> persisting_pieces() {
    const std::lock_guard lock(mutex);
    return lines.by_place();
}

std::size_t persisting_bytes() {
    const std::lock_guard lock(mutex);
    return lines.bytes();
}

CacheHints cache_hints() {
    const std::lock_guard lock(mutex);
    return hints;
}

void reset_cache_hints() {
    const std::lock_guard lock(mutex);
    hints = {};
}

}  // namespace kit::cpu
