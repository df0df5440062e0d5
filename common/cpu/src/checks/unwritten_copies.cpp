// The copies of unwritten bytes.
#include "unwritten_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "run/host_watch.hpp"

namespace kit::cpu {

namespace {

const char* word_begin(const char* address) {
    return address - reinterpret_cast<std::uintptr_t>(address) % 4;
}

}  // namespace

void UnwrittenCopies::add(const char* begin, std::size_t bytes, const Origin& from) {
    pieces_.push_back({begin, {begin, begin + bytes}, from});
    watch_host(Watch::uninitialised_copies, true);
}

void UnwrittenCopies::forget(const char* begin, std::size_t bytes) {
    const char* const end = begin + bytes;
    std::vector<Piece> rest;
    for (Piece& piece : pieces_) {
        if (piece.end() <= begin || end <= piece.begin) {
            rest.push_back(std::move(piece));
            continue;
        }
        const auto at = [&](const char* address) {
            return piece.as_copied.begin() + (address - piece.begin);
        };
        if (piece.begin < begin) rest.push_back({piece.begin, {at(piece.begin), at(begin)}, piece.from});
        if (end < piece.end()) rest.push_back({end, {at(end), at(piece.end())}, piece.from});
    }
    pieces_ = std::move(rest);
    watch_host(Watch::uninitialised_copies, !pieces_.empty());
}

const UnwrittenCopies::Origin* UnwrittenCopies::origin(const char* begin, std::size_t bytes) const {
    for (const Piece& piece : pieces_) {
        if (begin >= piece.end() || begin + bytes <= piece.begin) continue;
        const char* const from = std::max(word_begin(begin), piece.begin);
        const char* const to = std::min(word_begin(begin + bytes + 3), piece.end());
        if (std::equal(from, to, piece.as_copied.begin() + (from - piece.begin))) return &piece.from;
    }
    return nullptr;
}

}  // namespace kit::cpu
