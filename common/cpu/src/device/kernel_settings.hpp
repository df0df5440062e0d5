// The settings of a kernel from cudaFuncSetAttribute, and the resources of a multiprocessor that result from
// them.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "kernel_facts.hpp"
#include "occupancy.hpp"

namespace kit::cpu {

struct KernelSettings {
    int dynamic_shared = -1;  ///< bytes set by cudaFuncAttributeMaxDynamicSharedMemorySize; -1 if not set
    int carveout = -1;        ///< preferred percentage of shared memory; -1 if there is no preference
    cudaFuncCache cache = cudaFuncCachePreferNone;
    dim3 cluster{0, 0, 0};  ///< blocks per cluster that a launch must have; 0 if any number is allowed
    bool cluster_must_be_set = false, non_portable_cluster = false;
    int cluster_policy = 0;
};

/// Returns the settings of a kernel, or the defaults if the program has not set any.
const KernelSettings& kernel_settings(const void* kernel);
KernelSettings& change_settings(const void* kernel);

/// Returns the largest dynamic shared memory that cudaFuncSetAttribute has granted to any kernel, in bytes.
std::size_t largest_grant();

/// Removes all settings (cudaDeviceReset).
void forget_kernel_settings();

/// Returns the number of registers per thread. The executor does not know nvcc's number, so it returns 32, or
/// the number from assume_registers(), limited by the kernel's attributes.
int registers_of(const void* kernel, const KernelFacts& facts);

/// Returns the maximum threads per block: the value of __launch_bounds__, or as many as the registers of a
/// multiprocessor allow.
int max_threads_of(const void* kernel, const KernelFacts& facts);

/// Returns how many blocks of the kernel can be resident on one multiprocessor of the current device.
int resident_blocks_of(const void* kernel, const KernelFacts& facts, int threads, std::size_t dynamic_shared);

/// Returns the cluster size that every launch of the kernel must have, from __cluster_dims__ or the
/// attributes; 0 if there is none.
dim3 required_cluster(const void* kernel, const KernelFacts& facts);

}  // namespace kit::cpu
