// How far the host's own memory goes from an address, as far as that can be known: to the end of the block of the heap, of the
// global variable, or of the stack frame. Nothing is guessed: pages by mmap, and memory of libraries, have no end here.
#pragma once

#include <string>

#include "host_blocks.hpp"

namespace kit::cpu {

struct HostPiece {
    enum class Kind { unknown, block, variable, frame } kind = Kind::unknown;
    const char* end = nullptr;    ///< nothing that holds the address goes beyond
    HostBlock block;              ///< the block of the heap
    const void* holds = nullptr;  ///< the address in question
    const void* code = nullptr;   ///< an instruction of the frame's function

    facts::Memory memory() const;
};

HostPiece find_host_piece(const void* address);

}  // namespace kit::cpu
