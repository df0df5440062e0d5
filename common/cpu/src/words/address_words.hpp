// The sentences about an access that goes where it may not.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

enum class AddressFault {
    none,
    out_of_bounds,
    before_shared,      ///< the shared memory of the block begins later
    beyond_neighbour,   ///< out of the shared memory of another block of the cluster
    neighbour_to_come,  ///< that block may not have started
    neighbour_gone,     ///< ... or may have ended
    constant,           ///< a write to a __constant__ variable
    misaligned,
    another_device,  ///< whose memory this one may not touch
    nothing_there,
    host_memory
};

/// Who does what where.
struct BadAccess {
    AddressFault fault;
    std::string thread;  ///< "thread (5,0,0) of block (2,0,0) of `tree`"
    bool write;
    unsigned bytes;
    Place place, caller;
    std::string where{};      ///< "`in[258]`, 4 bytes after the end of `in` (1028 bytes)"
    std::string neighbour{};  ///< "block (1,0,0)"
    bool discards = false;    ///< by cuda::discard_memory, a piece of the line
    std::size_t ahead = 0;    ///< bytes before the shared memory; `where` is "`tile[-1]`, " then
};

Finding in_words(const BadAccess& bad);

/// Host code wrote to a __constant__ variable by its name; a kernel that uses it is about to begin. `variable` with its size,
/// `written`: the first byte that differs.
Finding constant_of_the_host(const std::string& kernel, const std::string& variable,
                             const std::string& written, Place launch);

}  // namespace kit::cpu
