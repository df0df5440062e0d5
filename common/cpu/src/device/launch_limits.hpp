// The limits of a launch, which come from the device and from the kernel.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

/// Returns cudaSuccess, or CUDA's error for an invalid launch. An error also reports a finding that names the
/// limit and the request.
cudaError_t check_launch(const Launch& launch);

/// Fills in the parts of the launch that are missing: the kernel's name, and the cluster size that the kernel
/// requires.
void name_kernel(Launch& launch);

/// Returns kernel_facts() from a cache, because launches are frequent and reading the symbol table is slow.
/// Accepts null.
const KernelFacts& known_facts(const void* kernel);

/// Returns how many bytes of dynamic shared memory a launch of this kernel can request: 48 KB minus the
/// static part, or the size that cudaFuncSetAttribute granted. If the kernel is null (its address is
/// unknown), the largest size granted to any kernel counts.
std::size_t dynamic_shared_limit(const void* kernel, const KernelFacts& facts);

// The clusters that a device can launch, and how many of them it can hold at the same time.

constexpr unsigned portable_cluster = 8, largest_cluster = 16;

struct ClusterRefusal {
    cudaError_t error = cudaSuccess;
    facts::Finding why;
};

/// Returns a dim3 as a text, such as "(4, 1, 1)".
std::string text_of(const dim3& size);

/// Returns the reason why the cluster size of the launch is invalid; success if it is valid.
ClusterRefusal refuse_cluster(const Launch& launch, const KernelFacts& facts);

/// Returns how many clusters of this size can be resident on the current device. Each multiprocessor holds
/// `blocks_per_multiprocessor` blocks. The blocks of a cluster share a group of multiprocessors (a GPC). The
/// sizes of the groups differ from chip to chip, so this function assumes typical ones.
int resident_clusters(int blocks_per_multiprocessor, unsigned cluster_size);

}  // namespace kit::cpu
