// Stores the settings of kernels, by the kernel's address.
#include "kernel_settings.hpp"

#include <algorithm>
#include <kit_cpu/executor.hpp>
#include <map>

namespace kit::cpu {
namespace {

constexpr int assumed_registers = 32;

auto& settings = *new std::map<const void*, KernelSettings>;
// Registers per thread that assume_registers() has set.
auto& stated_registers = *new std::map<const void*, int>;

/// Returns the carveout that is in effect. An older function of the API, cudaFuncSetCacheConfig, also sets
/// it.
int carveout_of(const KernelSettings& of) {
    if (of.carveout >= 0) return of.carveout;
    switch (of.cache) {
        case cudaFuncCachePreferShared:
            return 100;
        case cudaFuncCachePreferL1:
            return 0;
        case cudaFuncCachePreferEqual:
            return 50;
        case cudaFuncCachePreferNone:
            break;
    }
    return -1;
}

}  // namespace

const KernelSettings& kernel_settings(const void* kernel) {
    static const KernelSettings none;
    const auto found = settings.find(kernel);
    return found == settings.end() ? none : found->second;
}

KernelSettings& change_settings(const void* kernel) {
    return settings[kernel];
}

std::size_t largest_grant() {
    int largest = 0;
    for (const auto& [kernel, of] : settings) largest = std::max(largest, of.dynamic_shared);
    return static_cast<std::size_t>(largest);
}

void forget_kernel_settings() {
    settings.clear();
}

void assume_registers(const void* kernel, int registers) {
    stated_registers[kernel] = registers;
}

int registers_of(const void* kernel, const KernelFacts& facts) {
    const auto stated = stated_registers.find(kernel);
    int registers = stated == stated_registers.end() ? assumed_registers : stated->second;
    const KernelBounds& bounds = facts.bounds;
    if (bounds.registers) registers = std::min(registers, static_cast<int>(bounds.registers));
    if (bounds.threads)
        registers = std::min(registers, most_registers(device(), static_cast<int>(bounds.threads),
                                                       std::max(1, static_cast<int>(bounds.blocks))));
    return registers;
}

int max_threads_of(const void* kernel, const KernelFacts& facts) {
    int threads = static_cast<int>(facts.max_threads);
    const int registers = registers_of(kernel, facts);
    while (threads > 32 && block_limits(device(), {registers, 0, threads}).registers == 0)
        threads = (threads - 1) / 32 * 32;
    return threads;
}

int resident_blocks_of(const void* kernel, const KernelFacts& facts, int threads,
                       std::size_t dynamic_shared) {
    return resident_blocks(device(),
                           {registers_of(kernel, facts), facts.static_shared_bytes + dynamic_shared, threads},
                           carveout_of(kernel_settings(kernel)));
}

dim3 required_cluster(const void* kernel, const KernelFacts& facts) {
    return facts.bounds.cluster.x ? facts.bounds.cluster : kernel_settings(kernel).cluster;
}

}  // namespace kit::cpu
