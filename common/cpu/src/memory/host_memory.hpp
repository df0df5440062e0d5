// Finds the end of ordinary host memory at an address, if it can be known: of the block of the heap, of the global variable, or of the
// stack frame. There are no guesses: pages from mmap and memory of libraries have no known end.
#pragma once

#include <string>

#include "host_blocks.hpp"

namespace kit::cpu {

struct HostPiece {
    enum class Kind { unknown, block, variable, frame } kind = Kind::unknown;
    const char* end = nullptr;    ///< the object that holds the address ends here
    HostBlock block;              ///< the block of the heap
    const void* holds = nullptr;  ///< the address
    const void* code = nullptr;   ///< an instruction of the frame's function

    facts::Memory memory() const;
};

HostPiece find_host_piece(const void* address);

}  // namespace kit::cpu
