// Why this cannot be freed so.
#include "free_words.hpp"

#include "finding.hpp"

namespace kit::cpu {

std::string what_is_wrong(const BadFree& bad) {
    switch (bad.fault) {
        case FreeFault::freed_before:
            return "freed twice: " + bad.memory + " have been freed before";
        case FreeFault::never_allocated:
            return "this is not memory that CUDA has allocated";
        case FreeFault::inside:
            return "this is " + bad.memory + "; only its first byte frees it";
        case FreeFault::another_function:
            return "this is " + bad.memory + ", which another function frees";
        case FreeFault::graph_has_node:
            return "this is memory of a graph, which has a node to free it";
        case FreeFault::graph_has_not_run:
            return "this is memory of a graph, and no launch has allocated it";
        case FreeFault::kernel_of_hosts:
            return "this is " + bad.memory + ", which the host frees: kernels free what kernels allocate";
        case FreeFault::kernel_never_allocated:
            return "this is no memory that a kernel has allocated";
        case FreeFault::node_again:
            return "another node frees this already";
        case FreeFault::node_never_allocated:
            return "this is not memory that a node has allocated";
    }
    return "";
}

Finding in_words(const BadFree& bad, const std::string& function, Place place) {
    return {bad.fault == FreeFault::freed_before ? "address" : "argument",
            function + " at " + describe(place) + ": " + what_is_wrong(bad), place};
}

Finding freed_twice_in_stream(const AllocationFacts& allocation, Place place) {
    return {"address",
            "cudaFreeAsync was called twice for " + describe(allocation) + " at " + describe(place), place};
}

Finding freed_by_graph_too_early(const std::string& memory, Place place) {
    return {"address",
            "a graph frees memory that does not exist at this moment at " + describe(place) + ": " + memory,
            place};
}

Finding device_memory_freed_as_hosts(const std::string& where, Place place) {
    return {"argument",
            std::string("host code calls ") + free_or_delete + " at " + describe(place) +
                " for device memory" + (where.empty() ? "" : ", " + where) +
                ": cudaFree frees what cudaMalloc has allocated, and a kernel what a kernel has allocated",
            place};
}

Finding never_freed(const AllocationFacts& allocation) {
    return {"leak", "leak: " + describe(allocation) + " are never freed", allocation.place};
}

Finding more_never_freed(std::size_t allocations) {
    return {"leak", "leak: " + std::to_string(allocations) + " more allocations", {}};
}

}  // namespace kit::cpu
