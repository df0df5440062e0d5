// Clusters: blocks that are resident together, wait for each other and access each other's shared memory;
// launches with clusters.
#include <cooperative_groups.h>

#include "conformance.cuh"

namespace cg = cooperative_groups;

// For devices without clusters, the kernels are empty. The empty kernels are never launched.
#ifdef _CG_HAS_CLUSTER_GROUP
#define ON_CLUSTERS(...) __VA_ARGS__
#else
#define ON_CLUSTERS(...)
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#undef __cluster_dims__
#define __cluster_dims__(...)  // the attribute would be an error on such a device
#endif

namespace {

void need_clusters() {
    int clusters = 0;
    REQUIRE_CUDA(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0));
    if (!clusters) SKIP("this device has no clusters: they came with sm_90");
}

/// A launch configuration with an attribute for the cluster size, and space for a second attribute.
struct Config {
    Config(dim3 grid, dim3 block, dim3 cluster) {
        config.gridDim = grid;
        config.blockDim = block;
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim.x = cluster.x;
        attributes[0].val.clusterDim.y = cluster.y;
        attributes[0].val.clusterDim.z = cluster.z;
        config.attrs = attributes;
        config.numAttrs = 1;
    }
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t config = {};
};

}  // namespace

CASE("attribute and property agree: clusters since sm_90") {
    int clusters = -1;
    cudaDeviceProp all{};
    CHECK_CUDA(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0), cudaSuccess);
    CHECK_CUDA(cudaGetDeviceProperties(&all, 0), cudaSuccess);
    CHECK_EQUAL(clusters, all.clusterLaunch);
    CHECK_EQUAL(clusters != 0, all.major >= 9);
}

/// Each block stores its position in its cluster, as eight numbers.
__global__ void where(unsigned* out) {
    ON_CLUSTERS({
        const cg::cluster_group cluster = cg::this_cluster();
        const cg::grid_group grid = cg::this_grid();
        if (cg::this_thread_block().thread_rank() != 0) return;
        unsigned* mine = out + 12 * grid.block_rank();
        mine[0] = cluster.block_rank();
        mine[1] = cluster.block_index().x;
        mine[2] = cluster.block_index().y;
        mine[3] = cluster.block_index().z;
        mine[4] = cluster.num_blocks();
        mine[5] = cluster.dim_blocks().y;
        mine[6] = cluster.num_threads();
        mine[7] = cluster.dim_threads().x;
        mine[8] = static_cast<unsigned>(grid.cluster_rank());
        mine[9] = grid.cluster_index().y;
        mine[10] = static_cast<unsigned>(grid.num_clusters());
        mine[11] = grid.dim_clusters().x;
    })
    (void)out;
}

CASE("ranks and indices: a cluster of 2 x 3 blocks") {
    need_clusters();
    Buffer<unsigned> out(12 * 4 * 6, 99u);
    Config launch(dim3(4, 6), dim3(8, 4), dim3(2, 3, 1));
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, where, out.data()), cudaSuccess);
    const std::vector<unsigned> all = out.read();
    for (unsigned y = 0; y < 6; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const unsigned* mine = &all[12 * (y * 4 + x)];
            CHECK_EQUAL(std::vector<unsigned>(mine, mine + 12),
                        std::vector<unsigned>{x % 2 + y % 3 * 2, x % 2, y % 3, 0, 6, 3, 192, 16,
                                              x / 2 + y / 3 * 2, y / 3, 4, 2});
        }
}

CASE("a launch without clusters has clusters of one block") {
    need_clusters();
    Buffer<unsigned> out(12 * 3, 99u);
    where<<<3, 32>>>(out);
    const std::vector<unsigned> all = out.read();
    CHECK_EQUAL(std::vector<unsigned>(all.end() - 12, all.end()),
                std::vector<unsigned>{0, 0, 0, 0, 1, 1, 32, 32, 2, 0, 3, 3});
}

/// Each block fills its tile, and then reads the tile of the next block in its cluster.
__global__ void from_neighbour(const int* in, int* out) {
    ON_CLUSTERS({
        __shared__ int tile[64];
        const cg::cluster_group cluster = cg::this_cluster();
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        tile[threadIdx.x] = in[i];
        cluster.sync();
        const int* other = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % cluster.num_blocks());
        out[i] = other[63 - threadIdx.x];
        cluster.sync();
    })
    (void)in, (void)out;
}

std::vector<int> rotated(int blocks, int cluster) {
    std::vector<int> want;
    for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < 64; ++t) {
            const int other = b / cluster * cluster + (b + 1) % cluster;
            want.push_back(10 * (other * 64 + 63 - t));
        }
    return want;
}

std::vector<int> tens(int n) {
    std::vector<int> values(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = 10 * i;
    return values;
}

CASE("the shared memory of a neighbour can be read") {
    need_clusters();
    for (int cluster : {1, 2, 4, 8}) {
        Buffer<int> in(tens(16 * 64)), out(16 * 64);
        Config launch(16, 64, dim3(static_cast<unsigned>(cluster), 1, 1));
        CHECK_CUDA(cudaLaunchKernelEx(&launch.config, from_neighbour, in.data(), out.data()), cudaSuccess);
        CHECK_EQUAL(out.read(), rotated(16, cluster));
    }
}

__global__ void __cluster_dims__(4, 1, 1) fixed_cluster(const int* in, int* out) {
    ON_CLUSTERS({
        __shared__ int tile[64];
        const cg::cluster_group cluster = cg::this_cluster();
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        tile[threadIdx.x] = in[i];
        cluster.sync();
        out[i] =
            cluster.map_shared_rank(tile, static_cast<int>(cluster.block_rank() + 1) % 4)[63 - threadIdx.x];
        cluster.sync();
    })
    (void)in, (void)out;
}

CASE("__cluster_dims__: an ordinary launch has clusters") {
    need_clusters();
    Buffer<int> in(tens(8 * 64)), out(8 * 64);
    fixed_cluster<<<8, 64>>>(in, out);
    CHECK_EQUAL(out.read(), rotated(8, 4));
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncGetAttributes(&facts, fixed_cluster), cudaSuccess);
    CHECK_EQUAL(facts.requiredClusterWidth, 4);
    CHECK_EQUAL(facts.requiredClusterHeight, 1);
    CHECK_EQUAL(facts.requiredClusterDepth, 1);
}

/// All threads of the cluster increment counters in the dynamic shared memory of block 0.
__global__ void count_at_zero(int* out) {
    ON_CLUSTERS({
        extern __shared__ int bins[];
        const cg::cluster_group cluster = cg::this_cluster();
        if (threadIdx.x < 8) bins[threadIdx.x] = 0;
        cluster.sync();
        int* zero = cluster.map_shared_rank(bins, 0);
        atomicAdd(&zero[threadIdx.x % 8], 1);
        cluster.sync();
        if (cluster.block_rank() == 0 && threadIdx.x < 8) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
    })
    (void)out;
}

CASE("atomics on a neighbour's dynamic shared memory") {
    need_clusters();
    Buffer<int> out(8);
    Config launch(12, 96, dim3(4, 1, 1));
    launch.config.dynamicSmemBytes = 8 * sizeof(int);
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, count_at_zero, out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(8, 12 * 96 / 8));
}

/// Arrives at the cluster's barrier, does other work, and then waits.
__global__ void split_barrier(int* out) {
    ON_CLUSTERS({
        __shared__ int value;
        const cg::cluster_group cluster = cg::this_cluster();
        if (threadIdx.x == 0) value = static_cast<int>(cluster.block_rank()) + 100;
        auto token = cluster.barrier_arrive();
        int sum = static_cast<int>(threadIdx.x);
        cluster.barrier_wait(std::move(token));
        for (unsigned r = 0; r < cluster.num_blocks(); ++r)
            sum += *cluster.map_shared_rank(&value, static_cast<int>(r));
        cluster.barrier_arrive();
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
        cluster.barrier_wait();
    })
    (void)out;
}

CASE("the barrier in two halves") {
    need_clusters();
    Buffer<int> out(6 * 40);
    Config launch(6, 40, dim3(3, 1, 1));
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, split_barrier, out.data()), cudaSuccess);
    std::vector<int> want;
    for (int i = 0; i < 6 * 40; ++i) want.push_back(303 + i % 40);
    CHECK_EQUAL(out.read(), want);
}

__global__ void who_has_it(unsigned* out) {
    ON_CLUSTERS({
        __shared__ int first[8];
        __shared__ double second;
        const cg::cluster_group cluster = cg::this_cluster();
        first[threadIdx.x % 8] = 1;
        second = 2;
        cluster.sync();
        if (threadIdx.x == 0) {
            const int next = static_cast<int>((cluster.block_rank() + 1) % cluster.num_blocks());
            out[2 * blockIdx.x] = cluster.query_shared_rank(&first[3]);
            out[2 * blockIdx.x + 1] = cluster.query_shared_rank(cluster.map_shared_rank(&second, next));
        }
        cluster.sync();
    })
    (void)out;
}

CASE("query_shared_rank: whose shared memory is it?") {
    need_clusters();
    Buffer<unsigned> out(8);
    Config launch(4, 8, dim3(2, 1, 1));
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, who_has_it, out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{0, 1, 1, 0, 0, 1, 1, 0});
}

__global__ void through_the_base(int* out) {
    ON_CLUSTERS({
        __shared__ int tile[32];
        const cg::cluster_group cluster = cg::this_cluster();
        const cg::thread_group& any = cluster;
        tile[threadIdx.x] = static_cast<int>(any.thread_rank());
        cg::sync(cluster);
        if (any.thread_rank() == any.size() - 1) *out = cluster.map_shared_rank(tile, 0)[5];
        any.sync();
    })
    (void)out;
}

CASE("a cluster_group is a thread_group") {
    need_clusters();
    Buffer<int> out(1);
    Config launch(2, 32, dim3(2, 1, 1));
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, through_the_base, out.data()), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 5);
}

__global__ void nothing() {}

CASE_MISUSE("a cluster that does not divide the grid is refused, and nothing runs") {
    need_clusters();
    Buffer<unsigned> out(12 * 6, 7u);
    Config launch(6, 32, dim3(4, 1, 1));
    CHECK(cudaLaunchKernelEx(&launch.config, where, out.data()) != cudaSuccess);
    CHECK(cudaGetLastError() != cudaSuccess);
    CHECK_EQUAL(out.read()[0], 7u);
}

template <int TAG>
__global__ void large_cluster(int* out) {
    ON_CLUSTERS(if (threadIdx.x == 0) atomicAdd(out, static_cast<int>(cg::this_cluster().num_blocks()));)
    (void)out;
}

CASE_MISUSE("more than 8 blocks per cluster need a permission: cudaErrorInvalidClusterSize") {
    need_clusters();
    Buffer<int> out(1);
    Config launch(16, 32, dim3(16, 1, 1));
    CHECK_CUDA(cudaFuncSetAttribute(large_cluster<1>, cudaFuncAttributeNonPortableClusterSizeAllowed, 0),
               cudaSuccess);
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, large_cluster<1>, out.data()), cudaErrorInvalidClusterSize);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidClusterSize);
    CHECK_CUDA(cudaFuncSetAttribute(large_cluster<1>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
               cudaSuccess);
    int most = 0;
    CHECK_CUDA(cudaOccupancyMaxPotentialClusterSize(&most, large_cluster<1>, &launch.config), cudaSuccess);
    if (most < 16) SKIP("this GPU has no room for clusters of 16 blocks");
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, large_cluster<1>, out.data()), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 16 * 16);
}

CASE_MISUSE("a cluster of more than 16 blocks is refused in any case") {
    need_clusters();
    Buffer<int> out(1);
    CHECK_CUDA(cudaFuncSetAttribute(large_cluster<2>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
               cudaSuccess);
    Config launch(32, 32, dim3(32, 1, 1));
    CHECK(cudaLaunchKernelEx(&launch.config, large_cluster<2>, out.data()) != cudaSuccess);
    CHECK(cudaGetLastError() != cudaSuccess);
    CHECK_EQUAL(out.read()[0], 0);
}

CASE_MISUSE("a cluster that is not the kernel's own is refused") {
    need_clusters();
    Buffer<int> in(tens(8 * 64)), out(8 * 64);
    Config launch(8, 64, dim3(2, 1, 1));
    CHECK(cudaLaunchKernelEx(&launch.config, fixed_cluster, in.data(), out.data()) != cudaSuccess);
    CHECK(cudaGetLastError() != cudaSuccess);
    launch.attributes[0].val.clusterDim.x = 4;
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, fixed_cluster, in.data(), out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), rotated(8, 4));
}

CASE("how many clusters fit, and how large one may be") {
    need_clusters();
    Config launch(16, 1024, dim3(8, 1, 1));
    int clusters = 0, size = 0, processors = 0, blocks = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveClusters(&clusters, nothing, &launch.config), cudaSuccess);
    CHECK(clusters >= 1 && clusters * 8 <= processors * blocks);
    CHECK_CUDA(cudaOccupancyMaxPotentialClusterSize(&size, nothing, &launch.config), cudaSuccess);
    CHECK(size >= 1 && size <= 8);
    // The attribute of the kernel says 4 blocks per cluster, and the launch requests 8.
    CHECK_CUDA(cudaOccupancyMaxPotentialClusterSize(&size, fixed_cluster, &launch.config),
               cudaErrorInvalidClusterSize);
    cudaGetLastError();
}

__global__ void grid_and_cluster(int* out) {
    ON_CLUSTERS({
        __shared__ int value;
        const cg::cluster_group cluster = cg::this_cluster();
        const cg::grid_group grid = cg::this_grid();
        if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
        cluster.sync();
        const int other = *cluster.map_shared_rank(&value, static_cast<int>(cluster.block_rank() + 1) % 2);
        cluster.sync();
        if (threadIdx.x == 0) out[blockIdx.x] = other;
        grid.sync();
        if (threadIdx.x == 0) out[gridDim.x + blockIdx.x] = out[(blockIdx.x + 1) % gridDim.x];
    })
    (void)out;
}

CASE("a cooperative launch with clusters") {
    need_clusters();
    Buffer<int> out(12);
    Config launch(6, 64, dim3(2, 1, 1));
    launch.attributes[1].id = cudaLaunchAttributeCooperative;
    launch.attributes[1].val.cooperative = 1;
    launch.config.numAttrs = 2;
    CHECK_CUDA(cudaLaunchKernelEx(&launch.config, grid_and_cluster, out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 0, 3, 2, 5, 4, 0, 3, 2, 5, 4, 1});
}

__global__ void add_one(int* out, int by) {
    atomicAdd(out, by);
}

CASE("attributes that only tune are accepted; cudaLaunchKernelExC takes the arguments by address") {
    Buffer<int> out(1);
    cudaLaunchAttribute attributes[3] = {};
    attributes[0].id = cudaLaunchAttributeIgnore;
    attributes[1].id = cudaLaunchAttributePriority;
    attributes[1].val.priority = 0;
    attributes[2].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attributes[2].val.sharedMemCarveout = 50;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(3);
    config.attrs = attributes;
    config.numAttrs = 3;
    CHECK_CUDA(cudaLaunchKernelEx(&config, add_one, out.data(), 5), cudaSuccess);
    int* data = out.data();
    int by = 7;
    void* arguments[] = {&data, &by};
    CHECK_CUDA(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(add_one), arguments), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 6 * 5 + 6 * 7);
}

CONFORMANCE_MAIN("cluster")
