// The memory of an allocation node. Its address is reserved at creation and stays the same in every launch. The bytes exist from the node
// that allocates them to the node or call that frees them.
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
    /// Returns null if the device is full. `owner` is the graph with the allocation node.
    static std::shared_ptr<GraphMemory> make(std::size_t bytes, const char* made_by, const CUgraph_st* owner,
                                             Place place);
    /// Turns memory that still exists into an ordinary allocation, which cudaFree frees.
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    char* begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }

    /// These run on the device's side, when the node or the operation of cudaFreeAsync runs.
    cudaError_t allocate(Place place);
    cudaError_t free(Place place);

    // The state that the host has requested. The device may not have reached it.
    const CUgraph_st* const owner;         ///< used only as an address, because the graph may be destroyed
    const CUgraph_st* freed_by = nullptr;  ///< the graph that has a node to free this
    bool live = false;                     ///< whether it was launched, and no queued work frees it

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

/// The bytes that exist now, and their maximum so far; and the same for bytes with reserved addresses.
struct GraphMemoryUse {
    std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};
GraphMemoryUse& graph_memory_use();

}  // namespace kit::cpu
