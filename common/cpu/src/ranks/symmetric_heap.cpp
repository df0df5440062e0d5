// Stores the objects of the symmetric heap in a list, because programs have few of them.
#include "symmetric_heap.hpp"

#include <algorithm>
#include <list>
#include <utility>

namespace kit::cpu {
namespace {

auto& symmetric_pieces = *new std::list<SymmetricPiece>;

struct Found {
    const SymmetricPiece* piece = nullptr;
    int pe = -1;
};

Found find(const char* address) {
    for (const SymmetricPiece& piece : symmetric_pieces)
        for (std::size_t pe = 0; pe < piece.at.size(); ++pe)
            if (address >= piece.at[pe] && address < piece.at[pe] + piece.bytes)
                return {&piece, static_cast<int>(pe)};
    return {};
}

}  // namespace

SymmetricPlace symmetric_place(const void* local, std::size_t bytes, int my_pe, int pe, int pes) {
    SymmetricPlace place;
    const char* const address = static_cast<const char*>(local);
    const Found found = find(address);
    place.owner = found.pe;
    if (pe < 0 || pe >= pes) {
        place.fault = facts::Rule::no_such_pe;
    } else if (!found.piece) {
        place.fault = facts::Rule::not_symmetric;
    } else if (found.pe != my_pe) {
        place.fault = facts::Rule::symmetric_of_another;
    } else {
        const std::ptrdiff_t offset = address - found.piece->at[static_cast<std::size_t>(my_pe)];
        place.address = found.piece->at[static_cast<std::size_t>(pe)] + offset;
        place.left = found.piece->bytes - static_cast<std::size_t>(offset);
        if (place.left < bytes) place.fault = facts::Rule::symmetric_too_short;
    }
    return place;
}

void add_symmetric(SymmetricPiece piece) {
    symmetric_pieces.push_back(std::move(piece));
}

const SymmetricPiece* symmetric_at(const void* begin, int pe) {
    for (const SymmetricPiece& piece : symmetric_pieces)
        if (piece.at[static_cast<std::size_t>(pe)] == begin) return &piece;
    return nullptr;
}

void remove_symmetric(const char* begin) {
    symmetric_pieces.remove_if([begin](const SymmetricPiece& one) { return one.at.front() == begin; });
}

void forget_symmetric(const std::function<void(char*)>& release) {
    for (const SymmetricPiece& piece : symmetric_pieces)
        std::for_each(piece.at.begin(), piece.at.end(), release);
    symmetric_pieces.clear();
}

}  // namespace kit::cpu
