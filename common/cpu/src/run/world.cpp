// The world of NVSHMEM, of which a process has at most one.
#include "world.hpp"

#include <algorithm>

#include "device/devices.hpp"

namespace kit::cpu {

std::unique_ptr<World>& world_slot() {
    static auto& only = *new std::unique_ptr<World>;
    return only;
}

World* world() {
    return world_slot().get();
}

int& pe_of_thread() {
    static thread_local int pe = -1;
    return pe;
}

int pe_now() {
    if (!in_kernel() || !world()) return world() ? pe_of_thread() : -1;
    const auto& devices = world()->device;
    const auto found = std::find(devices.begin(), devices.end(), current_device());
    return found == devices.end() ? -1 : static_cast<int>(found - devices.begin());
}

}  // namespace kit::cpu
