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

/// Returns a text such as "(4, 1, 1)".
std::string text_of(const dim3& size);

/// Returns what is wrong with the cluster that the launch requests or must have; success if it is valid.
ClusterRefusal refuse_cluster(const Launch& launch, const KernelFacts& facts);

/// Returns how many clusters of this size the current device can hold, with this many blocks per multiprocessor. The blocks of a cluster
/// share a group of multiprocessors (a GPC). The sizes of the groups differ from chip to chip and are assumed here.
int resident_clusters(int blocks_per_multiprocessor, unsigned cluster_size);

}  // namespace kit::cpu
