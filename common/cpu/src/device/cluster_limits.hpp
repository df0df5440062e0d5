// The clusters that a device can launch, and how many of them it can hold at the same time.
#pragma once

#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

constexpr unsigned portable_cluster = 8, largest_cluster = 16;

struct ClusterRefusal {
    cudaError_t error = cudaSuccess;
    Finding why;
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
