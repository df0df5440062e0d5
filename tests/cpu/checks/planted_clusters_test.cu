// Planted mistakes with clusters: missing barriers, other blocks that have ended, addresses that belong to no
// block.
#include "clusters.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

/// Launches two clusters, each of `cluster` blocks of 32 threads.
template <class... P, class... A>
void launch(void (*kernel)(P...), unsigned cluster, A... arguments) {
#ifdef KIT_CPU
    kit::cpu::set_device("h200");  // the mistakes require a device that supports clusters
#endif
    launch_clusters(kernel, 2 * cluster, 32, cluster, arguments...);
}

__global__ void no_barrier_between(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 0;
    cluster.sync();
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    int* other = cluster.map_shared_rank(tile, static_cast<int>(cluster.block_rank() ^ 1u));
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("a neighbour's tile is read while it is being written", "race", "no cluster.sync()") {
    Buffer<int> out(128);
    launch(no_barrier_between, 2, out.data());
}

__global__ void barrier_of_the_block_only(int* out) {
#if CLUSTERS
    __shared__ int total;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) total = 0;
    cluster.sync();
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&total, 0), 1);  // <-
    __syncthreads();
    if (cluster.block_rank() == 0 && threadIdx.x == 5) out[blockIdx.x] = total;  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("__syncthreads() does not wait for the cluster", "race", "only one of the two accesses is atomic") {
    Buffer<int> out(8);
    launch(barrier_of_the_block_only, 4, out.data());
}

__global__ void before_the_wait(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 1;
    cluster.sync();
    cluster.barrier_arrive();
    tile[threadIdx.x] = 2;  // <-
    cluster.barrier_wait();
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(tile, 0)[threadIdx.x];  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("a write after the arrival is not covered by the barrier", "race", "no cluster.sync()") {
    Buffer<int> out(128);
    launch(before_the_wait, 2, out.data());
}

__global__ void between_clusters(int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = 1;  // <-
    cluster.sync();
    if (blockIdx.x == 3 && threadIdx.x == 0) out[1] = out[0];  // <-
#endif
    (void)out;
}

PLANTED("the barrier of a cluster does not order two clusters", "race", "nothing orders two blocks") {
    Buffer<int> out(2);
    launch(between_clusters, 2, out.data());
}

__global__ void no_first_barrier(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int* other = cluster.map_shared_rank(tile, static_cast<int>(cluster.block_rank() ^ 1u));
    other[threadIdx.x] = 1;  // <-
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
#endif
    (void)out;
}

PLANTED("a neighbour that may not have started", "address", "may not have started yet") {
    Buffer<int> out(128);
    launch(no_first_barrier, 2, out.data());
}

__global__ void no_last_barrier(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    cluster.sync();
    int* other = cluster.map_shared_rank(tile, static_cast<int>(cluster.block_rank() ^ 1u));
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];  // <-
#endif
    (void)out;
}

PLANTED("a neighbour that may have ended", "address", "that block may have ended") {
    Buffer<int> out(128);
    launch(no_last_barrier, 2, out.data());
}

__global__ void only_the_reader_waits(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 3;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        atomicAdd(cluster.map_shared_rank(&tile[threadIdx.x], 0), 1);  // <-
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = 1;
#endif
    (void)out;
}

PLANTED("an atomic on a neighbour that leaves at once", "address", "that block may have ended") {
    Buffer<int> out(128);
    launch(only_the_reader_waits, 2, out.data());
}

__global__ void beyond_the_neighbour(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 1;
    cluster.sync();
    int* other = cluster.map_shared_rank(tile, 1);
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x + 1];  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("past the end of a neighbour's tile", "address", "right after the end of `tile`") {
    Buffer<int> out(128);
    launch(beyond_the_neighbour, 2, out.data());
}

__global__ void never_written(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) tile[threadIdx.x] = 1;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(tile, 1)[threadIdx.x];  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("nobody has written the neighbour's tile", "uninitialised", "reads `tile[") {
    Buffer<int> out(128);
    launch(never_written, 2, out.data());
}

__global__ void no_such_rank(int* out) {
#if CLUSTERS
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 1;
    cluster.sync();
    out[threadIdx.x] = *cluster.map_shared_rank(tile, static_cast<int>(cluster.num_blocks()));  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("a rank that the cluster does not have", "address", "of its cluster, which has only 2") {
    Buffer<int> out(32);
    launch(no_such_rank, 2, out.data());
}

__global__ void global_memory_mapped(int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    *cluster.map_shared_rank(out, 1) = 1;  // <-
    cluster.sync();
#endif
    (void)out;
}

PLANTED("map_shared_rank() of global memory", "address", "but no block has it") {
    Buffer<int> out(1);
    launch(global_memory_mapped, 2, out.data());
}

__global__ void waits_without_arriving(int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    cluster.barrier_wait();  // <-
    out[threadIdx.x] = 1;
#endif
    (void)out;
}

PLANTED("a wait without an arrival", "barrier", "but has not arrived") {
    Buffer<int> out(32);
    launch(waits_without_arriving, 2, out.data());
}

__global__ void half_of_the_block_elsewhere(int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) {
        __syncthreads();  // <-
    } else {
        cluster.sync();
    }
    out[threadIdx.x] = 1;
#endif
    (void)out;
}

PLANTED("two barriers that wait for each other", "deadlock", "wait in cluster.sync()") {
    Buffer<int> out(32);
    launch(half_of_the_block_elsewhere, 2, out.data());
}

__global__ void after_many_barriers(int* data, int rounds) {
#if CLUSTERS
    const cg::cluster_group cluster = cg::this_cluster();
    for (int i = 0; i < rounds; ++i) {
        data[blockIdx.x] = i;
        cluster.sync();
        if (data[1 - blockIdx.x] != i) __trap();
        cluster.sync();
    }
    data[blockIdx.x] = 1;                         // <-
    data[2 + blockIdx.x] = data[1 - blockIdx.x];  // <-
#endif
    (void)data, (void)rounds;
}
PLANTED("no barrier, after 200,000 of the cluster", "race", "of block (") {
    Buffer<int> data(4);
    launch_clusters(after_many_barriers, 2, 1, 2, data.data(), 100000);
}

CHECKS_MAIN("planted_clusters")
