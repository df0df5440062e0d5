// Memory that kernels can access. Device memory is one reserved range of addresses, which only device work
// can access. Pinned and managed memory is ordinary host memory with a record of its kind. All functions
// except DeviceAccess, in_device_range and place_near are called with the API lock held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "source/memory_facts.hpp"

namespace kit::cpu {

/// Used as the name of the called function when a node of a graph allocates or frees memory.
constexpr char allocating_node[] = "allocating_node", freeing_node[] = "freeing_node";

enum class MemoryKind { device, managed, pinned };

/// One allocation. AllocationFacts has the facts that reports need to name the allocation.
struct Allocation : AllocationFacts {
    char* begin = nullptr;
    std::uint64_t born = 0;  ///< creation time, for the report of leaks (leaks.hpp)
    MemoryKind kind = MemoryKind::device;
    unsigned flags = 0;        ///< flags that were passed to cudaHostAlloc
    bool free_queued = false;  ///< whether cudaFreeAsync was called for the allocation
    char* space = nullptr;     ///< the allocator's space: padding for alignment, the bytes, and the gap after
                               ///< them
    std::size_t space_bytes = 0;
    bool stream_ordered = false;  ///< whether cudaMallocAsync made the allocation
    bool of_graph = false;        ///< whether a node of a graph allocated it (graphs/graph_memory.hpp)
    int device = 0;               ///< the device that owns the memory, or that was current when it was
                                  ///< allocated
    bool dormant = false;         ///< whether only the address is reserved, and the bytes do not exist at
                                  ///< present
};

/// Makes device memory accessible during the lifetime of the object. At other times, an access by host code
/// faults.
class DeviceAccess {
  public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Makes one range of device memory accessible, which is faster than DeviceAccess. For host memory, the
/// window does nothing.
class DeviceWindow {
  public:
    DeviceWindow(const void* begin, std::size_t bytes);
    ~DeviceWindow();
    bool is_open() const { return open_; }
    DeviceWindow(const DeviceWindow&) = delete;
    DeviceWindow& operator=(const DeviceWindow&) = delete;

  private:
    char* first_ = nullptr;
    std::size_t bytes_ = 0;
    bool open_ = true;
};

/// Returns whether the address is in the range reserved for device memory, allocated or not. A signal handler
/// can call this.
bool in_device_range(const void* address);

/// The range that is reserved for device memory; empty before the first allocation.
struct AddressRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
AddressRange device_range();

/// Returns the position of the address in the allocation that contains it or is nearest; unknown if none is
/// near. `width`: bytes of the access.
facts::Memory place_near(const void* address, std::size_t width = 1);

/// Allocates device memory, aligned to 256 bytes, and fills it with a pattern unless it is large. Returns
/// null if the device is full. `on_heap`: the allocation belongs to the device's heap.
Allocation* allocate_device(std::size_t bytes, const char* made_by, bool on_heap = false);

/// Allocates pinned or managed memory, between two inaccessible pages unless there are thousands of allocations.
/// Returns null if the operating system has no memory.
Allocation* allocate_host(std::size_t bytes, MemoryKind kind, const char* made_by);

/// Records memory that already exists: registered host memory, or a `__device__` variable.
Allocation* note_memory(void* begin, std::size_t bytes, MemoryKind kind, const char* made_by);

/// Returns the existing allocation that contains the address; null if there is none.
Allocation* find_allocation(const void* address);

/// Returns the existing allocation that begins at the address; null if there is none.
Allocation* allocation_at(const void* begin);

/// Returns the allocation that began at the address and was freed recently; null if there is none.
const Allocation* freed_allocation(const void* begin);

/// Returns the allocations of cudaMalloc and related functions that have not been freed.
std::vector<Allocation> live_allocations();

/// Records a `__device__` or `__constant__` variable. Returns false if the symbol is not a global variable of
/// the program.
bool note_symbol(const void* symbol, std::size_t bytes);

void release(Allocation* allocation);
/// Releases all allocations of this device.
void release_everything(int device);

/// The size of the current device's memory, and how many of these bytes are free.
std::size_t total_device_memory();
std::size_t free_device_memory();
/// Returns how many bytes of a device's memory are not allocated. Managed memory can use them.
std::size_t memory_left(int device);

/// Returns the number of bytes that are allocated by cudaMallocAsync.
std::size_t stream_ordered_bytes();

/// Returns the number of bytes that are allocated on the device's heap.
std::size_t device_heap_bytes();

}  // namespace kit::cpu
