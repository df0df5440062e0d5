// Memory that kernels can access: one reserved address range that only device work can access, and pinned and managed memory, which is
// ordinary host memory with a record of its kind. All functions except DeviceAccess, in_device_range and place_near are called with the API
// lock held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "source/memory_facts.hpp"

namespace kit::cpu {

/// Stands for the name of a function when a node of a graph allocates or frees memory.
constexpr char allocating_node[] = "allocating_node", freeing_node[] = "freeing_node";

enum class MemoryKind { device, managed, pinned };

/// Includes the facts that reports need to name it. `device_heap`: see device_heap.hpp.
struct Allocation : AllocationFacts {
    char* begin = nullptr;
    std::uint64_t born = 0;  ///< see leaks.hpp
    MemoryKind kind = MemoryKind::device;
    unsigned flags = 0;        ///< the flags of cudaHostAlloc
    bool free_queued = false;  ///< whether cudaFreeAsync was called
    char* space = nullptr;     ///< the allocator's space: alignment, the bytes, and the gap after them
    std::size_t space_bytes = 0;
    bool stream_ordered = false;  ///< whether cudaMallocAsync allocated it
    bool of_graph = false;        ///< made by a node of a graph, see graphs/graph_memory.hpp
    int device = 0;               ///< the device where it is, or where it was requested
    bool dormant = false;         ///< the address is reserved, but the bytes do not exist now
};

/// Makes device memory accessible during the object's lifetime. Outside of it, host code that accesses device memory faults.
class DeviceAccess {
  public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// The same for one range, which is faster to open and close. Host memory needs no window, and is unchanged.
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

/// Returns whether this address is in the range reserved for device memory (allocated or not). Safe in a signal handler.
bool in_device_range(const void* address);

/// The range that is reserved for device memory; empty before the first allocation.
struct AddressRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
AddressRange device_range();

/// Returns the place of the address in the live allocation that holds it, or is nearest. Unknown if none is near. `width`: of the access.
facts::Memory place_near(const void* address, std::size_t width = 1);

/// Allocates device memory, aligned to 256 bytes, and poisons it unless it is large. Returns null if the device is full. `on_heap`: the
/// allocation belongs to the heap of the device.
Allocation* allocate_device(std::size_t bytes, const char* made_by, bool on_heap = false);

/// Allocates pinned or managed memory between two pages that fault. Returns null if the system has no memory.
Allocation* allocate_host(std::size_t bytes, MemoryKind kind, const char* made_by);

/// Records memory that already exists: registered host memory, or a `__device__` variable.
Allocation* note_memory(void* begin, std::size_t bytes, MemoryKind kind, const char* made_by);

/// Returns the live allocation that holds the address, null if none does.
Allocation* find_allocation(const void* address);

/// Returns the live allocation that begins here; null if none does.
Allocation* allocation_at(const void* begin);

/// Returns the allocation that began here and was freed recently; null if there is none.
const Allocation* freed_allocation(const void* begin);

/// Returns the allocations of cudaMalloc and related functions that have not been freed.
std::vector<Allocation> live_allocations();

/// Records a `__device__` or `__constant__` variable. Returns false if it is not a global variable of the program.
bool note_symbol(const void* symbol, std::size_t bytes);

void release(Allocation* allocation);
/// Releases all allocations of this device.
void release_everything(int device);

/// Returns the current device's memory, and what of it is not allocated.
std::size_t total_device_memory();
std::size_t free_device_memory();

/// Returns the number of bytes that cudaMallocAsync has allocated.
std::size_t stream_ordered_bytes();

/// Returns the bytes of the heap of the device that are given out.
std::size_t device_heap_bytes();

}  // namespace kit::cpu
