// The number of a kernel's blocks that a multiprocessor can hold: the rules of the hardware, as pure functions.
//
// All resources are allocated in units. Registers: 256 for each warp, and each of the four quarters of a multiprocessor has its own. Shared
// memory: 128 bytes (256 on sm_75), after the 1 KB that the driver reserves for each block.
#pragma once

#include <cstddef>

#include "device.hpp"

namespace kit::cpu {

/// The resources that one block needs.
struct BlockNeeds {
    int registers;       ///< registers per thread
    std::size_t shared;  ///< static and dynamic shared memory in bytes
    int threads;
};

/// The number of blocks per multiprocessor that each resource allows. The result is the minimum.
struct BlockLimits {
    int warps, blocks, registers, shared;

    int least() const;
};

/// Returns the limits. `carveout` is the percentage of the common memory of L1 and shared memory that the kernel prefers as shared memory;
/// -1 lets the driver choose, which allocates as much as is useful.
BlockLimits block_limits(const Device& device, const BlockNeeds& needs, int carveout = -1);

int resident_blocks(const Device& device, const BlockNeeds& needs, int carveout = -1);

/// Returns the shared memory of a multiprocessor with this carveout: the next larger size that the hardware supports.
std::size_t carveout_bytes(const Device& device, int carveout);

/// Returns the unit in which a block gets shared memory.
std::size_t shared_unit(const Device& device);

/// Returns the most registers per thread with which `blocks` blocks of this size are resident; at most 255.
int most_registers(const Device& device, int threads, int blocks);

}  // namespace kit::cpu
