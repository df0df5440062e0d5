// Remembers copies of uninitialized bytes to the host, as pieces of host memory.
#include "unwritten_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "run/host_watch.hpp"

namespace kit::cpu {

namespace {

const char* word_begin(const char* address) {
    return address - reinterpret_cast<std::uintptr_t>(address) % 4;
}

}  // namespace

void UnwrittenCopies::add(const char* begin, std::size_t bytes, const Origin& from) {
    forget(begin, bytes);
    const char* const end = begin + bytes;
    pieces_[begin] = {end, std::make_shared<Copy>(Copy{begin, {begin, end}, from})};
    watch_host(Watch::uninitialised_copies, true);
}

/// If a piece has bytes on both sides of the address, divides it into two pieces.
void UnwrittenCopies::cut(const char* at) {
    const auto next = pieces_.lower_bound(at);
    if (next == pieces_.begin()) return;
    Piece& before = std::prev(next)->second;
    if (before.end <= at) return;
    pieces_.emplace_hint(next, at, before);
    before.end = at;
}

void UnwrittenCopies::forget(const char* begin, std::size_t bytes) {
    cut(begin);
    cut(begin + bytes);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(begin + bytes));
    watch_host(Watch::uninitialised_copies, !pieces_.empty());
}

const UnwrittenCopies::Origin* UnwrittenCopies::origin(const char* begin, std::size_t bytes) const {
    auto next = pieces_.upper_bound(begin);
    if (next != pieces_.begin() && std::prev(next)->second.end > begin) --next;
    for (; next != pieces_.end() && next->first < begin + bytes; ++next) {
        const auto& [first, piece] = *next;
        const char* const from = std::max(word_begin(begin), first);
        const char* const to = std::min(word_begin(begin + bytes + 3), piece.end);
        if (std::equal(from, to, piece.copy->bytes.begin() + (from - piece.copy->begin)))
            return &piece.copy->from;
    }
    return nullptr;
}

}  // namespace kit::cpu
