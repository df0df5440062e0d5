// Device memory: one reserved address range that only device work may touch.
#pragma once

#include <cstddef>
#include <string>

namespace kit::cpu {

enum class MemoryKind { device, managed, pinned };

struct Allocation {
    char* begin = nullptr;
    std::size_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
};

/// While one of these lives, device memory can be read and written; host code that touches it otherwise faults.
class DeviceAccess {
  public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Is this address in the range reserved for device memory (allocated or not)? Safe in a signal handler.
bool in_device_range(const void* address);

/// The live allocation that holds the address or ends nearest before it, in words for a report:
/// "4 bytes after the end of the 1024 bytes allocated by cudaMalloc #3". Empty if there is none near.
std::string describe_address(const void* address);

}  // namespace kit::cpu
