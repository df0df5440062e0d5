// The sentences about memory that is freed wrongly, or never.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

#include "memory_words.hpp"

namespace kit::cpu {

enum class FreeFault {
    freed_before,
    never_allocated,
    inside,             ///< not its first byte
    another_function,   ///< frees this kind of memory
    graph_has_node,     ///< memory of a graph, and a node of it frees it
    graph_has_not_run,  ///< memory of a graph of which there is none
    kernel_of_hosts,    ///< a kernel frees what the host has allocated
    kernel_never_allocated,
    node_again,  ///< a node of a graph is to free what another one does
    node_never_allocated
};

/// `memory`: which it is, in words; empty where there is none.
struct BadFree {
    FreeFault fault;
    std::string memory;
};

/// "freed twice: the 64 bytes allocated by cudaMalloc #1 have been freed before"
std::string what_is_wrong(const BadFree& bad);
/// The whole of it, where the host calls.
Finding in_words(const BadFree& bad, const std::string& function, Place place);

Finding freed_twice_in_stream(const AllocationFacts& allocation, Place place);
/// A node whose turn has come.
Finding freed_by_graph_too_early(const std::string& memory, Place place);
/// What both of these are called.
constexpr const char* free_or_delete = "free() or delete";
/// They were called by the host; `where` is empty if nothing is known.
Finding device_memory_freed_as_hosts(const std::string& where, Place place);

Finding never_freed(const AllocationFacts& allocation);
Finding more_never_freed(std::size_t allocations);

}  // namespace kit::cpu
