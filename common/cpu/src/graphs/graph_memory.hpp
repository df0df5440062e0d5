// The memory of an allocation node. Its address is taken from the beginning and stays the same in every launch; the
// bytes exist from the node that allocates them to whatever frees them.
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
    /// Null when the device is full. `owner` is the graph with the allocation node.
    static std::shared_ptr<GraphMemory> make(std::size_t bytes, const char* made_by, const CUgraph_st* owner,
                                             Place place);
    /// What still exists becomes an ordinary allocation, which cudaFree frees.
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    char* begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }

    /// On the device's side, when the node or the operation of cudaFreeAsync runs.
    cudaError_t allocate(Place place);
    cudaError_t free(Place place);

    // What the host has asked for. The device may lag behind.
    const CUgraph_st* const owner;         ///< only an address: the graph may be gone
    const CUgraph_st* freed_by = nullptr;  ///< the graph that has a node to free this
    bool live = false;                     ///< launched, and nothing is queued that frees it

  private:
    GraphMemory(char* begin, std::size_t bytes, const CUgraph_st* owner)
        : owner(owner), begin_(begin), bytes_(bytes) {}
    void touch(const char* what, Place place) const;

    char* begin_;
    std::size_t bytes_;
};
using GraphMemoryPtr = std::shared_ptr<GraphMemory>;

/// Returns the memory that begins exactly here; null if no graph has made it.
GraphMemoryPtr find_graph_memory(const void* begin);

/// The bytes that exist now, and their maximum so far; the same for bytes whose addresses are reserved.
struct GraphMemoryUse {
    std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};
GraphMemoryUse& graph_memory_use();

}  // namespace kit::cpu
