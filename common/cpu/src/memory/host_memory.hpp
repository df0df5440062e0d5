// Finds where the ordinary host memory at an address ends, if that is known: the end of a heap block, a
// global variable or a stack frame. Pages from mmap and memory of libraries have no known end.
#pragma once

#include <string>

#include "host_blocks.hpp"

namespace kit::cpu {

struct HostPiece {
    enum class Kind { unknown, block, variable, frame } kind = Kind::unknown;
    const char* end = nullptr;    ///< end of the object that contains the address
    HostBlock block;              ///< the heap block, if the address is in one
    const void* holds = nullptr;  ///< the address that was searched
    const void* code = nullptr;   ///< an instruction of the function whose frame it is

    facts::Memory memory() const;
};

HostPiece find_host_piece(const void* address);

}  // namespace kit::cpu
