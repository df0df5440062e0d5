// What a program has set for a kernel with cudaFuncSetAttribute, and what of a multiprocessor the kernel then takes.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "kernel_facts.hpp"
#include "occupancy.hpp"

namespace kit::cpu {

struct KernelSettings {
    int dynamic_shared = -1;  ///< bytes, from cudaFuncAttributeMaxDynamicSharedMemorySize; -1: not set
    int carveout = -1;        ///< percent; -1: no preference
    cudaFuncCache cache = cudaFuncCachePreferNone;
    dim3 cluster{0, 0, 0};  ///< blocks per cluster that a launch must have; 0: any
    bool cluster_must_be_set = false, non_portable_cluster = false;
    int cluster_policy = 0;
};

/// For a kernel that nothing was set for: the defaults.
const KernelSettings& kernel_settings(const void* kernel);
KernelSettings& change_settings(const void* kernel);

/// Returns the largest grant of dynamic shared memory of any kernel.
std::size_t largest_grant();

/// Forgets all settings (cudaDeviceReset).
void forget_kernel_settings();

/// Registers per thread. The executor cannot know what nvcc would use: 32, or what assume_registers() said, and in any
/// case no more than the kernel's attributes allow.
int registers_of(const void* kernel, const KernelFacts& facts);

/// Returns the largest block: __launch_bounds__, or what the registers of a multiprocessor are enough for.
int max_threads_of(const void* kernel, const KernelFacts& facts);

/// Returns how many blocks of the kernel a multiprocessor of the current device can hold.
int resident_blocks_of(const void* kernel, const KernelFacts& facts, int threads, std::size_t dynamic_shared);

/// Returns the cluster that every launch of the kernel has: __cluster_dims__, or the attributes. 0: none.
dim3 required_cluster(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
