// Clusters on the CPU executor: the rank of a block in its cluster, the barrier of the cluster, and access to
// the shared memory of other blocks. cooperative_groups.h uses these functions for cluster_group. In a launch
// without clusters, each block is a cluster.
#pragma once

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Returns the size of the cluster in each dimension, in blocks.
dim3 cluster_dims();

/// cluster_arrive() and cluster_wait() are the two parts of the barrier of all threads in a cluster. This
/// barrier does not wait for threads that have returned.
void cluster_arrive(Place place);
void cluster_wait(Place place, const char* what = "cluster.sync()");

/// Returns the address in the shared memory of block `rank` that corresponds to `address` in the caller's
/// shared memory.
void* cluster_map(const void* address, int rank, Place place);

/// Returns the rank of the block whose shared memory contains the address.
unsigned cluster_rank_of(const void* address, Place place);

inline dim3 cluster_block_index() {
    const dim3 dims = cluster_dims();
    return {blockIdx.x % dims.x, blockIdx.y % dims.y, blockIdx.z % dims.z};
}
inline unsigned cluster_block_rank() {
    const dim3 dims = cluster_dims(), at = cluster_block_index();
    return (at.z * dims.y + at.y) * dims.x + at.x;
}
inline unsigned cluster_num_blocks() {
    const dim3 dims = cluster_dims();
    return dims.x * dims.y * dims.z;
}

/// Returns the number of clusters in the grid in each dimension.
inline dim3 clusters_of_grid() {
    const dim3 dims = cluster_dims();
    return {gridDim.x / dims.x, gridDim.y / dims.y, gridDim.z / dims.z};
}
inline dim3 cluster_index() {
    const dim3 dims = cluster_dims();
    return {blockIdx.x / dims.x, blockIdx.y / dims.y, blockIdx.z / dims.z};
}

}  // namespace kit::cpu

// These functions under the names of CUDA's intrinsics.
inline unsigned __clusterDimIsSpecified() {
    return kit::cpu::cluster_num_blocks() > 1;
}
inline dim3 __clusterDim() {
    return kit::cpu::cluster_dims();
}
inline dim3 __clusterIdx() {
    return kit::cpu::cluster_index();
}
inline dim3 __clusterGridDimInClusters() {
    return kit::cpu::clusters_of_grid();
}
inline dim3 __clusterRelativeBlockIdx() {
    return kit::cpu::cluster_block_index();
}
inline unsigned __clusterRelativeBlockRank() {
    return kit::cpu::cluster_block_rank();
}
inline unsigned __clusterSizeInBlocks() {
    return kit::cpu::cluster_num_blocks();
}
inline void __cluster_barrier_arrive(kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::cluster_arrive(place);
}
inline void __cluster_barrier_wait(kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::cluster_wait(place, "__cluster_barrier_wait()");
}
inline void* __cluster_map_shared_rank(const void* address, unsigned rank,
                                       kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::cluster_map(address, static_cast<int>(rank), place);
}
inline unsigned __cluster_query_shared_rank(const void* address, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::cluster_rank_of(address, place);
}
