// How many blocks of a kernel a multiprocessor holds at once: the rules of the hardware, as pure functions.
//
// Everything is given out in units: registers in 256 for each warp, and each of the four quarters of a multiprocessor
// has its own; shared memory in 128 bytes (256 on sm_75), after the 1 KB that the driver takes for each block.
#pragma once

#include <cstddef>

#include "device.hpp"

namespace kit::cpu {

/// What one block takes of its multiprocessor.
struct BlockNeeds {
    int registers;       ///< per thread
    std::size_t shared;  ///< bytes, static and dynamic
    int threads;
};

/// How many blocks per multiprocessor each resource allows. The minimum is the answer.
struct BlockLimits {
    int warps, blocks, registers, shared;

    int least() const;
};

/// `carveout` is the percentage of the common memory of L1 and shared memory that the kernel prefers to be shared memory;
/// -1 leaves it to the driver, which gives as much as is useful.
BlockLimits block_limits(const Device& device, const BlockNeeds& needs, int carveout = -1);

int resident_blocks(const Device& device, const BlockNeeds& needs, int carveout = -1);

/// Shared memory of a multiprocessor with this carveout: the next of the sizes that the hardware can be set to.
std::size_t carveout_bytes(const Device& device, int carveout);

/// In what portions a block gets shared memory.
std::size_t shared_unit(const Device& device);

/// Returns the most registers per thread with which `blocks` blocks of this size are resident; at most 255.
int most_registers(const Device& device, int threads, int blocks);

}  // namespace kit::cpu
