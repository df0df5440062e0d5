// The rules of occupancy. The rules were compared with results of real devices
// (tests/cpu/occupancy_table.cu).
#include "occupancy.hpp"

#include <algorithm>
#include <climits>
#include <kit_cpu/executor.hpp>
#include <vector>

#include "rounding.hpp"

namespace kit::cpu {
namespace {

constexpr int register_unit = 256;  ///< registers are allocated to a warp in multiples of this number
constexpr int quarters = 4;         ///< parts of a multiprocessor; a warp runs in only one of them
constexpr int most_registers_per_thread = 255;

int warps_of(int threads) {
    return (threads + 31) / 32;
}

int by_registers(const BlockNeeds& needs) {
    if (needs.registers > most_registers_per_thread) return 0;
    const int per_warp = round_up(needs.registers * 32, register_unit);
    if (per_warp == 0) return INT_MAX;
    const int warps = warps_of(needs.threads);
    // CUDA's check assumes that the warps of one block are distributed evenly over the four parts of a
    // multiprocessor.
    if (per_warp * round_up(warps, quarters) > registers_per_block) return 0;
    return registers_per_block / quarters / per_warp * quarters / warps;
}

/// Returns the smallest supported size of a multiprocessor's shared memory that can hold these bytes.
std::size_t setting_for(const Device& device, std::size_t bytes) {
    static const std::vector<std::size_t> turing = {32, 64}, ampere = {0, 8, 16, 32, 64, 100, 132, 164},
                                          hopper = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    for (const std::size_t kilobytes : device.major == 7 ? turing : device.major == 8 ? ampere : hopper)
        if (kilobytes * 1024 >= bytes) return kilobytes * 1024;
    return device.shared_per_multiprocessor;
}

int by_shared(const Device& device, const BlockNeeds& needs, int carveout) {
    const std::size_t block = round_up(needs.shared + device.shared_reserved, shared_unit(device));
    if (block == 0) return INT_MAX;
    if (needs.shared > device.shared_per_block_optin) return 0;
    // A preference is ignored if it leaves no space for a single block.
    const std::size_t wanted = carveout_bytes(device, carveout);
    return static_cast<int>((wanted < block ? setting_for(device, block) : wanted) / block);
}

}  // namespace

int BlockLimits::least() const {
    return std::min({warps, blocks, registers, shared});
}

std::size_t shared_unit(const Device& device) {
    return device.major < 8 ? 256 : 128;
}

std::size_t carveout_bytes(const Device& device, int carveout) {
    if (carveout < 0) return device.shared_per_multiprocessor;
    return setting_for(device, device.shared_per_multiprocessor * static_cast<std::size_t>(carveout) / 100);
}

BlockLimits block_limits(const Device& device, const BlockNeeds& needs, int carveout) {
    if (needs.threads <= 0 || needs.threads > max_block_threads) return {};
    return {device.threads_per_multiprocessor / 32 / warps_of(needs.threads),
            device.blocks_per_multiprocessor, by_registers(needs), by_shared(device, needs, carveout)};
}

int resident_blocks(const Device& device, const BlockNeeds& needs, int carveout) {
    return block_limits(device, needs, carveout).least();
}

int most_registers(const Device& device, int threads, int blocks) {
    int registers = most_registers_per_thread;
    while (registers > 8 && block_limits(device, {registers, 0, threads}).registers < blocks) --registers;
    return registers;
}

int resident_blocks(const char* key, int registers, std::size_t shared_bytes, int block_threads) {
    const Device* chosen = key ? find_device(key) : &device();
    return chosen ? resident_blocks(*chosen, {registers, shared_bytes, block_threads}) : -1;
}

}  // namespace kit::cpu
