// Correct programs with clusters to which the checks must not object.
#include <numeric>
#include <utility>

#include "clusters.cuh"

bool device_has_clusters() {
    int clusters = 0;
    cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0);
    return clusters != 0;
}

template <class... P, class... A>
void launch(void (*kernel)(P...), unsigned blocks, unsigned cluster, A... arguments) {
    CHECK_CUDA(launch_clusters(kernel, blocks, 64, cluster, arguments...), cudaSuccess);
}

/// Each block sums 64 values; block 0 of each cluster adds these sums.
__global__ void reduce(const int* in, int* out) {
#if CLUSTERS
    __shared__ int tile[64];
    __shared__ int sums[8];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
    }
    cluster.sync();  // block 0 has started
    if (threadIdx.x == 0) *cluster.map_shared_rank(&sums[cluster.block_rank()], 0) = tile[0];
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < cluster.num_blocks(); ++i) sum += sums[i];
        atomicAdd(out, sum);
    }
#endif
    (void)in, (void)out;
}

SILENT("a reduction through the memory of block 0") {
    if (!device_has_clusters()) return;
    std::vector<int> values(16 * 64);
    std::iota(values.begin(), values.end(), 1);
    Buffer<int> in(values), out(1);
    launch(reduce, 16, 8, in.data(), out.data());
    CHECK_EQUAL(out.read()[0], 1024 * 1025 / 2);
}

/// A ring: in each round, every block reads the value of the previous block. The ring has two buffers and one
/// barrier per round.
__global__ void ring(int* out, int rounds) {
#if CLUSTERS
    __shared__ int mine[2][64];
    cg::cluster_group cluster = cg::this_cluster();
    const int before =
        static_cast<int>((cluster.block_rank() + cluster.num_blocks() - 1) % cluster.num_blocks());
    mine[0][threadIdx.x] = static_cast<int>(blockIdx.x * 64 + threadIdx.x);
    for (int r = 0; r < rounds; ++r) {
        cluster.sync();
        mine[(r + 1) % 2][threadIdx.x] = cluster.map_shared_rank(mine[r % 2], before)[threadIdx.x];
    }
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = mine[rounds % 2][threadIdx.x];
#endif
    (void)out, (void)rounds;
}

SILENT("a ring with two buffers") {
    if (!device_has_clusters()) return;
    Buffer<int> out(8 * 64);
    launch(ring, 8, 4, out.data(), 3);
    const std::vector<int> all = out.read();
    CHECK_EQUAL(all[0], 64);
    CHECK_EQUAL(all[7 * 64 + 5], 4 * 64 + 5);
}

/// Uses the two parts of the barrier. The work between the two parts accesses nothing that other blocks use.
__global__ void halves(int* out) {
#if CLUSTERS
    __shared__ int given, own;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) given = 5;
    cluster.barrier_arrive();
    if (threadIdx.x == 0) own = 7;
    __syncthreads();
    const int sum = own;
    cluster.barrier_wait();
    const int got = *cluster.map_shared_rank(&given, static_cast<int>(cluster.block_rank() ^ 1u));
    cluster.barrier_arrive();
    out[blockIdx.x * 64 + threadIdx.x] = sum + got;
    cluster.barrier_wait();
#endif
    (void)out;
}

SILENT("work between arrival and wait") {
    if (!device_has_clusters()) return;
    Buffer<int> out(4 * 64);
    launch(halves, 4, 2, out.data());
    CHECK_EQUAL(out.read(), std::vector<int>(4 * 64, 12));
}

/// One thread waits for the cluster and then reaches an ordinary barrier of its block. Afterwards, all
/// threads of the block may read.
__global__ void all_arrive_one_reads(int* out) {
#if CLUSTERS
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
    cluster.sync();
    if (threadIdx.x == 63) out[blockIdx.x] = *cluster.map_shared_rank(&value, 1);
    cluster.barrier_arrive();
    cluster.barrier_wait();
    if (threadIdx.x == 0) value = -1;
#endif
    (void)out;
}

SILENT("a value that is overwritten after the last reader has left the barrier") {
    if (!device_has_clusters()) return;
    Buffer<int> out(4);
    launch(all_arrive_one_reads, 4, 2, out.data());
    CHECK_EQUAL(out.read(), std::vector<int>{1, 1, 3, 3});
}

/// Some threads return early, because a barrier does not wait for threads that have returned.
__global__ void some_return_early(int* out) {
#if CLUSTERS
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x >= 32) return;
    if (threadIdx.x == 0) value = 11;
    cluster.sync();
    if (threadIdx.x == 1) out[blockIdx.x] = *cluster.map_shared_rank(&value, 0);
    cluster.sync();
#endif
    (void)out;
}

SILENT("half of each block returns before the barrier of the cluster") {
    if (!device_has_clusters()) return;
    Buffer<int> out(4);
    launch(some_return_early, 4, 4, out.data());
    CHECK_EQUAL(out.read(), std::vector<int>(4, 11));
}

/// Global memory that is written before the barrier may be read by other blocks of the cluster after it.
__global__ void through_global_memory(int* data, int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned n = cluster.num_blocks() * 64, base = blockIdx.x / cluster.num_blocks() * n;
    const unsigned i = cluster.thread_rank();
    data[base + i] = static_cast<int>(i);
    cluster.sync();
    out[base + i] = data[base + (i + 100) % n];
#endif
    (void)data, (void)out;
}

SILENT("a cluster exchanges through global memory") {
    if (!device_has_clusters()) return;
    Buffer<int> data(8 * 64), out(8 * 64);
    launch(through_global_memory, 8, 4, data.data(), out.data());
    const std::vector<int> all = out.read();
    CHECK_EQUAL(all[0], 100);
    CHECK_EQUAL(all[256 + 200], 44);
}

/// Two variables that the blocks first use in a different order still have the same address in all blocks.
__global__ void different_order(int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    int* first = nullptr;
    if (cluster.block_rank() == 0) {
        __shared__ int only_here[100];
        only_here[threadIdx.x] = 9;
        first = only_here;
    }
    __shared__ int all_have[64];
    all_have[threadIdx.x] = static_cast<int>(threadIdx.x + 1000 * cluster.block_rank());
    cluster.sync();
    const int other =
        cluster.map_shared_rank(all_have, static_cast<int>(cluster.block_rank() ^ 1u))[threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = other + (first ? first[threadIdx.x] : 0);
    cluster.sync();
#endif
    (void)out;
}

SILENT("shared variables of branches that not every block takes") {
    if (!device_has_clusters()) return;
    Buffer<int> out(2 * 64);
    launch(different_order, 2, 2, out.data());
    const std::vector<int> all = out.read();
    CHECK_EQUAL(all[3], 1003 + 9);
    CHECK_EQUAL(all[64 + 3], 3);
}

__global__ void many_barriers(int* data, int rounds) {
#if CLUSTERS
    const cg::cluster_group cluster = cg::this_cluster();
    for (int i = 0; i < rounds; ++i) {
        data[blockIdx.x] = i;
        cluster.sync();
        if (data[1 - blockIdx.x] != i) __trap();
        cluster.sync();
    }
#endif
    (void)data, (void)rounds;
}
SILENT("80,000 barriers of a cluster") {
    if (!device_has_clusters()) return;
    Buffer<int> data(2);
    launch_clusters(many_barriers, 2, 1, 2, data.data(), 40000);
    CHECK_EQUAL(data.read()[1], 39999);
}

__global__ void heard_before_the_barrier(int* data, int* flag, int* out) {
#if CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    if (rank == 0 && t == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(flag, 1);
    }
    if (rank == 1 && t < 32) {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) {
            }
            __threadfence();
        }
        __syncwarp();
        out[t] = data[0];
    }
    cluster.sync();
    if (rank == 0) out[t] += data[0];
    cluster.sync();
    if (rank == 1 && t == 40) out[40] += out[0];
#endif
    (void)data, (void)flag, (void)out;
}
SILENT("a lane hears of another block, its warp, and then the cluster") {
    if (!device_has_clusters()) return;
    Buffer<int> data(1), flag(1), out(64);
    launch(heard_before_the_barrier, 2, 2, data.data(), flag.data(), out.data());
    CHECK_EQUAL(out.read()[1], 14);
    CHECK_EQUAL(out.read()[40], 21);
}

CHECKS_MAIN("silent_clusters")
