// Memory of allocation nodes: reserves addresses, and allocates and frees the bytes.
#include "graph_memory.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "events.hpp"
#include "memory/memory.hpp"
#include "run/faults.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t poison_limit = std::size_t(64) << 20;
constexpr unsigned char poison = 0xCB;

auto& all = *new std::map<const void*, std::weak_ptr<GraphMemory>>;

/// Returns the entry in the table of allocations; null after cudaDeviceReset has removed it.
Allocation* entry(const char* begin) {
    Allocation* const found = find_allocation(begin);
    return found && found->begin == begin && found->of_graph ? found : nullptr;
}

}  // namespace

GraphMemoryUse& graph_memory_use() {
    static GraphMemoryUse use;
    return use;
}

GraphMemoryPtr find_graph_memory(const void* begin) {
    const auto found = all.find(begin);
    return found == all.end() ? nullptr : found->second.lock();
}

GraphMemoryPtr GraphMemory::make(std::size_t bytes, const char* made_by, const CUgraph_st* owner,
                                 Place place) {
    prepare_faults();
    Allocation* const allocation = allocate_device(bytes, made_by);
    if (!allocation) return nullptr;
    allocation->of_graph = allocation->dormant = true;
    allocation->place = place;
    const GraphMemoryPtr memory(new GraphMemory(allocation->begin, bytes, owner));
    all[memory->begin_] = memory;
    GraphMemoryUse& use = graph_memory_use();
    use.reserved += bytes;
    use.reserved_high = std::max(use.reserved_high, use.reserved);
    return memory;
}

GraphMemory::~GraphMemory() {
    all.erase(begin_);
    graph_memory_use().reserved -= bytes_;
    Allocation* const allocation = entry(begin_);
    if (!allocation) return;
    if (allocation->dormant) {
        release(allocation);
    } else {
        graph_memory_use().used -= bytes_;
        allocation->of_graph = false;
    }
}

/// Reports a write of all bytes to the checks, at the allocation and when the memory is freed. Every use must
/// be ordered with these two.
void GraphMemory::touch(const char* what, Place place) const {
    observer().touches({what, place, begin_, bytes_, bytes_, 1, true});
}

cudaError_t GraphMemory::allocate(Place place) {
    Allocation* const allocation = entry(begin_);
    if (!allocation) return cudaErrorIllegalAddress;
    touch(allocating_node, place);
    allocation->dormant = allocation->free_queued = false;
    if (bytes_ <= poison_limit) {
        const DeviceWindow window(begin_, bytes_);
        std::memset(begin_, poison, bytes_);
    }
    observer().allocated(begin_, bytes_);
    GraphMemoryUse& use = graph_memory_use();
    use.used += bytes_;
    use.used_high = std::max(use.used_high, use.used);
    return cudaSuccess;
}

cudaError_t GraphMemory::free(Place place) {
    Allocation* const allocation = entry(begin_);
    if (!allocation) return cudaErrorIllegalAddress;
    if (allocation->dormant) {
        add_finding(finding(facts::Rule::freed_by_graph_too_early, place).on(place_near(begin_)));
        return cudaErrorIllegalAddress;
    }
    touch(freeing_node, place);
    allocation->dormant = true;
    graph_memory_use().used -= bytes_;
    return cudaSuccess;
}

}  // namespace kit::cpu
