// The symmetric heap of NVSHMEM: each object exists at every PE, in the memory of its device. Called with the
// API lock held.
#pragma once

#include <cstddef>
#include <facts/rules.hpp>
#include <functional>
#include <kit_cpu/thread.hpp>
#include <vector>

namespace kit::cpu {

/// An object that all PEs have allocated together.
struct SymmetricPiece {
    std::size_t bytes = 0;
    std::vector<char*> at;  ///< address of the object at each PE
};

/// The address of a symmetric object at one PE, found from its address at another PE.
struct SymmetricPlace {
    char* address = nullptr;
    facts::Rule fault = facts::Rule::none;
    int owner = -1;        ///< if there is an error: the PE that owns the address
    std::size_t left = 0;  ///< if there is an error: number of bytes from the address to the end of the
                           ///< object
};

/// Returns the address of these bytes at `pe`. The bytes are at `local` in the memory of `my_pe`.
SymmetricPlace symmetric_place(const void* local, std::size_t bytes, int my_pe, int pe, int pes);

void add_symmetric(SymmetricPiece piece);
/// Returns the object that begins at this address at this PE; null if there is none.
const SymmetricPiece* symmetric_at(const void* begin, int pe);
/// Removes the object that begins at this address at PE 0.
void remove_symmetric(const char* begin);
/// Removes all objects. Calls `release` with the address of each object at each PE.
void forget_symmetric(const std::function<void(char*)>& release);

}  // namespace kit::cpu
