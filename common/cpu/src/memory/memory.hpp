// Memory that kernels may use: one reserved address range that only device work may touch, and pinned and
// managed memory, which is ordinary host memory with a note of what it is. All functions but DeviceAccess,
// in_device_range and place_near are called with the API lock held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "source/memory_facts.hpp"

namespace kit::cpu {

/// Who touches memory of a graph at the ends of its life, where a function is named otherwise.
constexpr char allocating_node[] = "allocating_node", freeing_node[] = "freeing_node";

enum class MemoryKind { device, managed, pinned };

/// Includes what reports need to name it; `device_heap`: see device_heap.hpp.
struct Allocation : AllocationFacts {
    char* begin = nullptr;
    std::uint64_t born = 0;  ///< see leaks.hpp
    MemoryKind kind = MemoryKind::device;
    unsigned flags = 0;        ///< the flags of cudaHostAlloc
    bool free_queued = false;  ///< cudaFreeAsync was called
    char* space = nullptr;     ///< what the allocator gave: alignment, the bytes, and the gap after them
    std::size_t space_bytes = 0;
    bool stream_ordered = false;  ///< by cudaMallocAsync
    bool of_graph = false;        ///< made by a node of a graph, see graphs/graph_memory.hpp
    int device = 0;               ///< the device where it is, or where it was requested
    bool dormant = false;         ///< the address is reserved, but the bytes do not exist now
};

/// While one of these lives, device memory can be read and written; host code that touches it otherwise
/// faults.
class DeviceAccess {
  public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// The same for one range only, which is cheaper to open and close. Nothing happens for host memory.
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

/// The range reserved for device memory; empty before the first allocation.
struct AddressRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
AddressRange device_range();

/// Returns the place of the address in the live allocation that holds it, or is nearest. Unknown if none is near. `width`: of the access.
facts::Memory place_near(const void* address, std::size_t width = 1);

/// New device memory, 256-byte aligned, poisoned when it is not large; null when the device is full. `on_heap`: the
/// allocation belongs to the heap of the device.
Allocation* allocate_device(std::size_t bytes, const char* made_by, bool on_heap = false);

/// New pinned or managed memory between two pages that fault; null when the system has none.
Allocation* allocate_host(std::size_t bytes, MemoryKind kind, const char* made_by);

/// Notes memory that exists already: registered host memory, or a `__device__` variable.
Allocation* note_memory(void* begin, std::size_t bytes, MemoryKind kind, const char* made_by);

/// Returns the live allocation that holds the address, null if none does.
Allocation* find_allocation(const void* address);

/// Returns the live allocation that begins here; null if none does.
Allocation* allocation_at(const void* begin);

/// What began here and was freed lately; null if nothing.
const Allocation* freed_allocation(const void* begin);

/// Allocations by cudaMalloc and related functions that have not been freed.
std::vector<Allocation> live_allocations();

/// Notes a `__device__` or `__constant__` variable; false if it is not a global variable of the program.
bool note_symbol(const void* symbol, std::size_t bytes);

void release(Allocation* allocation);
/// What was allocated on this device.
void release_everything(int device);

/// Returns the current device's memory, and what of it is not allocated.
std::size_t total_device_memory();
std::size_t free_device_memory();

/// Bytes that cudaMallocAsync has given out.
std::size_t stream_ordered_bytes();

/// Returns the bytes of the heap of the device that are given out.
std::size_t device_heap_bytes();

}  // namespace kit::cpu
