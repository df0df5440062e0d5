// NVSHMEM's symmetric heap: pieces of memory that every PE has, each on its own device. Called with the API lock held.
#pragma once

#include <cstddef>
#include <facts/rules.hpp>
#include <functional>
#include <kit_cpu/thread.hpp>
#include <vector>

namespace kit::cpu {

/// One that all PEs have allocated together.
struct SymmetricPiece {
    std::size_t bytes = 0;
    std::vector<char*> at;  ///< by PE
};

/// Where a PE has the object that a different PE names by its own pointer.
struct SymmetricPlace {
    char* address = nullptr;
    facts::Rule fault = facts::Rule::none;
    int owner = -1;        ///< for a fault: the PE whose pointer it is,
    std::size_t left = 0;  ///< and the bytes of the piece from there on
};

/// Returns where `pe` has these bytes, which a thread of `my_pe` calls `local`.
SymmetricPlace symmetric_place(const void* local, std::size_t bytes, int my_pe, int pe, int pes);

void add_symmetric(SymmetricPiece piece);
/// Returns the piece that begins here at this PE; null if none does.
const SymmetricPiece* symmetric_at(const void* begin, int pe);
/// The piece that begins here at PE 0.
void remove_symmetric(const char* begin);
/// Forgets all; `release` gets what each PE has of them.
void forget_symmetric(const std::function<void(char*)>& release);

}  // namespace kit::cpu
