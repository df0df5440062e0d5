// Which clusters a device can launch, and how many of them it holds at once.
#pragma once

#include <kit_cpu/launch.hpp>

#include "kernel_facts.hpp"

namespace kit::cpu {

constexpr unsigned portable_cluster = 8, largest_cluster = 16;

struct ClusterRefusal {
    cudaError_t error = cudaSuccess;
    Finding why;
};

/// "(4, 1, 1)"
std::string text_of(const dim3& size);

/// What is wrong with the cluster that the launch asks for, or must have; success when nothing is.
ClusterRefusal refuse_cluster(const Launch& launch, const KernelFacts& facts);

/// Returns how many clusters of this size the current device can hold, with this many blocks per multiprocessor. The blocks of a cluster
/// share a group of multiprocessors (a GPC); the size of these groups differs from chip to chip, and is assumed here.
int resident_clusters(int blocks_per_multiprocessor, unsigned cluster_size);

}  // namespace kit::cpu
