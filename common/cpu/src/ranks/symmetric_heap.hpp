// NVSHMEM's symmetric heap: pieces of memory that every PE has, each on its own device. Called with the API lock held.
#pragma once

#include <cstddef>
#include <facts/rules.hpp>
#include <functional>
#include <kit_cpu/thread.hpp>
#include <vector>

namespace kit::cpu {

/// A piece that all PEs have allocated together.
struct SymmetricPiece {
    std::size_t bytes = 0;
    std::vector<char*> at;  ///< addresses by PE
};

/// The place of an object at a PE, for an object that a different PE names by its own pointer.
struct SymmetricPlace {
    char* address = nullptr;
    facts::Rule fault = facts::Rule::none;
    int owner = -1;        ///< for a fault, the PE that owns the pointer
    std::size_t left = 0;  ///< for a fault, the bytes of the piece after it
};

/// Returns the place of these bytes at `pe`. A thread of `my_pe` calls them `local`.
SymmetricPlace symmetric_place(const void* local, std::size_t bytes, int my_pe, int pe, int pes);

void add_symmetric(SymmetricPiece piece);
/// Returns the piece that begins here at this PE; null if none does.
const SymmetricPiece* symmetric_at(const void* begin, int pe);
/// Removes the piece that begins here at PE 0.
void remove_symmetric(const char* begin);
/// Removes all pieces; `release` receives the part of each PE.
void forget_symmetric(const std::function<void(char*)>& release);

}  // namespace kit::cpu
