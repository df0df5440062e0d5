// The settings of a kernel from cudaFuncSetAttribute, and the resources of a multiprocessor that the kernel then needs.
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
    dim3 cluster{0, 0, 0};  ///< blocks per cluster that a launch must have; 0: any number
    bool cluster_must_be_set = false, non_portable_cluster = false;
    int cluster_policy = 0;
};

/// Returns the settings of a kernel, or the defaults if none were set.
const KernelSettings& kernel_settings(const void* kernel);
KernelSettings& change_settings(const void* kernel);

/// Returns the largest grant of dynamic shared memory of any kernel.
std::size_t largest_grant();

/// Forgets all settings (cudaDeviceReset).
void forget_kernel_settings();

/// Returns the registers per thread. The executor cannot know nvcc's number, so it returns 32 or the number from assume_registers(), and at
/// most the number that the kernel's attributes allow.
int registers_of(const void* kernel, const KernelFacts& facts);

/// Returns the largest block size: the value of __launch_bounds__, or the number for which a multiprocessor has enough registers.
int max_threads_of(const void* kernel, const KernelFacts& facts);

/// Returns how many blocks of the kernel a multiprocessor of the current device can hold.
int resident_blocks_of(const void* kernel, const KernelFacts& facts, int threads, std::size_t dynamic_shared);

/// Returns the cluster that every launch of the kernel has: __cluster_dims__, or the attributes. 0: none.
dim3 required_cluster(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
