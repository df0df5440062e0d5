// What pieces of memory are called in reports: allocations of the device, named buffers, shared memory, and the host's own.
#pragma once

#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>

#include "elements.hpp"

namespace kit::cpu {

/// What reports say of memory that CUDA has allocated.
struct AllocationFacts {
    std::size_t bytes = 0;
    const char* made_by = "";    ///< the function that made it, e.g. "cudaMalloc"
    unsigned number = 0;         ///< of the calls of that function
    Place place;                 ///< of the call, if known
    LayoutOf element = nullptr;  ///< what the pointer's type says of its elements
    bool registered = false;     ///< by cudaHostRegister: the memory itself is the caller's
    bool symbol = false;         ///< a `__device__` or `__constant__` variable
    bool device_heap = false;    ///< made by a kernel
};

/// "the 1024 bytes allocated by cudaMalloc #3 (tree.cu:41)"
std::string describe(const AllocationFacts& allocation);

/// `offset` bytes behind its begin, or before it: "`d_in[257]`, 4 bytes after the end of the 1024 bytes allocated by
/// cudaMalloc #3". `width`: of the access.
std::string place_in(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width);
/// The same of memory of a graph that does not exist at this moment.
std::string place_in_dormant(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width);
std::string inside_freed(const AllocationFacts& allocation);
std::string far_from_all();

/// "`in[258]`, 4 bytes after the end of `in` (1028 bytes)"
std::string place_in_buffer(const std::string& name, std::size_t bytes, LayoutOf element,
                            std::ptrdiff_t offset, std::size_t width);

/// Shared memory: one variable, and addresses that lie in none.
NamedPiece shared_piece(const std::string& name, std::size_t bytes, LayoutOf layout);
std::string no_shared_memory();
std::string before_first_shared();

/// What a kernel that is launched by another one cannot reach.
std::string local_of_launcher();
std::string shared_of_launcher();

/// Memory of the host: "the 128 bytes allocated by malloc (main.cu:12)", "the stack frame of `main()`, which holds the local
/// variable". The function may be unknown, and empty.
std::string host_block_in_words(std::size_t bytes, const char* made_by, Place place);
std::string frame_in_words(const std::string& function);

}  // namespace kit::cpu
