// Calculates how many blocks of a kernel a multiprocessor can hold, with pure functions.
//
// All resources are allocated in units. A warp gets registers in multiples of 256, from one of the four parts
// of the multiprocessor. A block gets shared memory in multiples of 128 bytes (256 on sm_75), including the 1
// KB that the driver reserves for each block.
#pragma once

#include <cstddef>

#include "device.hpp"

namespace kit::cpu {

/// The resources of a multiprocessor that one block needs.
struct BlockNeeds {
    int registers;       ///< registers per thread
    std::size_t shared;  ///< static and dynamic shared memory, in bytes
    int threads;
};

/// How many blocks each resource of a multiprocessor allows. The smallest number is the result.
struct BlockLimits {
    int warps, blocks, registers, shared;

    int least() const;
};

/// Returns the limits. L1 and shared memory divide one memory; `carveout` is the percentage that the kernel prefers as shared memory. With -1, the driver chooses as much shared memory as is useful.
BlockLimits block_limits(const Device& device, const BlockNeeds& needs, int carveout = -1);

int resident_blocks(const Device& device, const BlockNeeds& needs, int carveout = -1);

/// Returns the size of a multiprocessor's shared memory for this carveout, rounded up to a size that the
/// hardware supports.
std::size_t carveout_bytes(const Device& device, int carveout);

/// Returns the unit in which shared memory is allocated to blocks, in bytes.
std::size_t shared_unit(const Device& device);

/// Returns the largest number of registers per thread with which `blocks` blocks of this size can be
/// resident; at most 255.
int most_registers(const Device& device, int threads, int blocks);

}  // namespace kit::cpu
