// The memory of an allocation node. The address is reserved when the node is created and is the same in every
// launch. The bytes exist from the allocation node to the node or call that frees them.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <memory>

struct CUgraph_st;

namespace kit::cpu {

class GraphMemory {
  public:
    /// Creates the memory of a node. Returns null if the device is full. `owner` is the graph with the
    /// allocation node.
    static std::shared_ptr<GraphMemory> make(std::size_t bytes, const char* made_by, const CUgraph_st* owner,
                                             Place place);
    /// Turns memory that still exists into an ordinary allocation, which cudaFree can free.
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    char* begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }

    /// These functions run when the node, or the operation of cudaFreeAsync, runs in its stream.
    cudaError_t allocate(Place place);
    cudaError_t free(Place place);

    // The state after all calls that the host has made. Queued work may not have reached this state yet.
    const CUgraph_st* const owner;         ///< only its address is used, because the graph may be destroyed
    const CUgraph_st* freed_by = nullptr;  ///< the graph with the node that frees this memory
    bool live = false;                     ///< whether a launch allocates the memory and no queued work frees
                                           ///< it

  private:
    GraphMemory(char* begin, std::size_t bytes, const CUgraph_st* owner)
        : owner(owner), begin_(begin), bytes_(bytes) {}
    void touch(const char* what, Place place) const;

    char* begin_;
    std::size_t bytes_;
};
using GraphMemoryPtr = std::shared_ptr<GraphMemory>;

/// Returns the graph memory that begins exactly here; null if there is none.
GraphMemoryPtr find_graph_memory(const void* begin);

/// Sizes in bytes: the memory that exists now and the maximum so far, and the same for reserved addresses.
struct GraphMemoryUse {
    std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};
GraphMemoryUse& graph_memory_use();

}  // namespace kit::cpu
