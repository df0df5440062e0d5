// The executor's counts: loads, stores, their bytes, and how many atomics access one address. A GPU does not
// count, but the same kernels must have the same results there.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstring>
#include <cuda/atomic>
#include <numeric>

#include "conformance.cuh"

namespace cg = cooperative_groups;

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>

/// Returns whether the checks see accesses. Without the checks (the test cpu.counters_unchecked), counts of
/// accesses are 0.
static bool accesses_are_seen() {
    const char* const checks = std::getenv("KIT_CHECKS");
    return !checks || std::strcmp(checks, "0") != 0;
}

#define COUNT_FROM_HERE kit::cpu::reset_counters()
#define CHECK_COUNT(field, ...) CHECK_EQUAL(kit::cpu::counters().field, std::uint64_t{__VA_ARGS__})
#define CHECK_SEEN(field, ...) CHECK_COUNT(field, accesses_are_seen() ? std::uint64_t{__VA_ARGS__} : 0)
#else
#define COUNT_FROM_HERE static_cast<void>(0)
#define CHECK_COUNT(field, ...) static_cast<void>(0)
#define CHECK_SEEN(field, ...) static_cast<void>(0)
#endif

template <class T>
std::vector<T> numbers(int n) {
    std::vector<T> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<T>(i % 100);
    return values;
}

// ---- global memory -------------------------------------------------------------------------------------------

template <class T>
__global__ void copy(const T* in, int n, T* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(n)) out[i] = in[i];
}

/// A kernel for n elements in blocks of 64. Threads beyond n do not access memory, so they do not count.
template <class T>
void check_copy(int n) {
    const std::vector<T> values = numbers<T>(n);
    Buffer<T> in(values), out(n);
    COUNT_FROM_HERE;
    copy<<<(n + 63) / 64, 64>>>(in.data(), n, out.data());
    CHECK_EQUAL(out.read(), values);
    CHECK_SEEN(global_loads, static_cast<std::uint64_t>(n));
    CHECK_SEEN(global_stores, static_cast<std::uint64_t>(n));
    CHECK_SEEN(global_bytes_loaded, n * sizeof(T));
    CHECK_SEEN(global_bytes_stored, n * sizeof(T));
    CHECK_COUNT(shared_loads, 0);
    CHECK_COUNT(shared_stores, 0);
    CHECK_COUNT(worst_contention, 0);
}

CASE("one load and one store per element, of its size") {
    check_copy<int>(1000);
    check_copy<char>(130);
    check_copy<short>(64);
    check_copy<double>(1);
}

CASE("a vector that is copied whole is one access of 16 bytes") {
    Buffer<float> in(numbers<float>(400)), out(400);
    COUNT_FROM_HERE;
    copy<<<2, 64>>>(reinterpret_cast<const float4*>(in.data()), 100, reinterpret_cast<float4*>(out.data()));
    CHECK_EQUAL(out.read(), numbers<float>(400));
    CHECK_SEEN(global_loads, 100);
    CHECK_SEEN(global_stores, 100);
    CHECK_SEEN(global_bytes_loaded, 1600);
    CHECK_SEEN(global_bytes_stored, 1600);
}

__global__ void sum_members(const float4* in, float* out) {
    const float4& value = in[threadIdx.x];
    out[threadIdx.x] = value.x + value.y + value.z + value.w;
}

CASE("the members of a vector, one by one, are four accesses") {
    Buffer<float> in(std::vector<float>(128, 0.5f)), out(32);
    COUNT_FROM_HERE;
    sum_members<<<1, 32>>>(reinterpret_cast<const float4*>(in.data()), out);
    CHECK_EQUAL(out.read(), std::vector<float>(32, 2.0f));
    CHECK_SEEN(global_loads, 4 * 32);
    CHECK_SEEN(global_bytes_loaded, 16 * 32);
    CHECK_SEEN(global_stores, 32);
    CHECK_SEEN(global_bytes_stored, 4 * 32);
}

struct Particle {
    double position[3], velocity[2];
};

/// nvcc compiles this to three loads, but the executor counts one access.
CASE("a vector of three is one access of 12 bytes") {
    Buffer<float> in(numbers<float>(30)), out(30);
    COUNT_FROM_HERE;
    copy<<<1, 32>>>(reinterpret_cast<const float3*>(in.data()), 10, reinterpret_cast<float3*>(out.data()));
    CHECK_EQUAL(out.read(), numbers<float>(30));
    CHECK_SEEN(global_loads, 10);
    CHECK_SEEN(global_bytes_stored, 120);
}

CASE("a larger struct is copied in accesses of at most 16 bytes") {
    Buffer<double> in(numbers<double>(50)), out(50);
    COUNT_FROM_HERE;
    copy<<<1, 32>>>(reinterpret_cast<const Particle*>(in.data()), 10,
                    reinterpret_cast<Particle*>(out.data()));
    CHECK_EQUAL(out.read(), numbers<double>(50));
    CHECK_SEEN(global_loads, 10 * 3);
    CHECK_SEEN(global_stores, 10 * 3);
    CHECK_SEEN(global_bytes_loaded, 10 * 40);
    CHECK_SEEN(global_bytes_stored, 10 * 40);
}

__constant__ int steps[4] = {1, 2, 3, 4};
__device__ int calls = 5;
__managed__ int limit = 6;

/// Loads one managed, one pinned and one __device__ variable. Loads from constant and local memory do not
/// count.
__global__ void read_everywhere(const int* managed, const int* pinned, int* out) {
    volatile int local[4];
    for (int i = 0; i < 4; ++i) local[i] = steps[i];
    out[0] = *managed + *pinned + calls + limit + local[threadIdx.x];
}

CASE("global memory is device, managed and pinned memory and __device__ variables") {
    int *managed = nullptr, *pinned = nullptr;
    REQUIRE_CUDA(cudaMallocManaged(&managed, sizeof(int)));
    REQUIRE_CUDA(cudaMallocHost(&pinned, sizeof(int)));
    *managed = 10;
    *pinned = 20;
    Buffer<int> out(1);
    COUNT_FROM_HERE;
    read_everywhere<<<1, 1>>>(managed, pinned, out);
    CHECK_EQUAL(out.read(), std::vector<int>{10 + 20 + 5 + 6 + 1});
    CHECK_SEEN(global_loads, 4);
    CHECK_SEEN(global_bytes_loaded, 16);
    CHECK_SEEN(global_stores, 1);
    CHECK_COUNT(shared_loads, 0);
    CHECK_COUNT(shared_stores, 0);
    cudaFree(managed);
    cudaFreeHost(pinned);
}

// ---- shared memory -------------------------------------------------------------------------------------------

constexpr int TILE = 64;

__global__ void sum_tiles(const int* in, int* out) {
    __shared__ int tile[TILE];
    const unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * TILE + t];
    __syncthreads();
    for (unsigned stride = TILE / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}

CASE("shared memory is counted apart from global memory") {
    Buffer<int> in(std::vector<int>(3 * TILE, 2)), out(3);
    COUNT_FROM_HERE;
    sum_tiles<<<3, TILE>>>(in, out);
    CHECK_EQUAL(out.read(), std::vector<int>(3, 2 * TILE));
    // The tree makes TILE - 1 additions, each with two loads and one store.
    CHECK_SEEN(shared_loads, 3 * (2 * (TILE - 1) + 1));
    CHECK_SEEN(shared_stores, 3 * (TILE + TILE - 1));
    CHECK_SEEN(global_loads, 3 * TILE);
    CHECK_SEEN(global_stores, 3);
    CHECK_SEEN(global_bytes_loaded, 4 * 3 * TILE);
    CHECK_SEEN(global_bytes_stored, 4 * 3);
}

CASE("counts add up over kernels, until they are reset") {
    Buffer<int> in(numbers<int>(64)), out(64);
    COUNT_FROM_HERE;
    for (int i = 0; i < 3; ++i) copy<<<1, 64>>>(in.data(), 64, out.data());
    CHECK_EQUAL(out.read(), numbers<int>(64));
    CHECK_SEEN(global_loads, 3 * 64);
    COUNT_FROM_HERE;
    CHECK_COUNT(global_loads, 0);
    CHECK_COUNT(global_bytes_stored, 0);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ON_CLUSTERS(...) __VA_ARGS__
#else
#define ON_CLUSTERS(...)
#endif

/// Each block of a pair reads the tile of the other block.
__global__ void exchange(int* out) {
    ON_CLUSTERS({
        __shared__ int mine;
        const cg::cluster_group cluster = cg::this_cluster();
        if (threadIdx.x == 0) mine = static_cast<int>(cluster.block_rank()) + 7;
        cluster.sync();
        const int* other = cluster.map_shared_rank(&mine, static_cast<int>(cluster.block_rank() ^ 1));
        out[blockIdx.x * blockDim.x + threadIdx.x] = *other;
        cluster.sync();
    })
    (void)out;
}

CASE("shared memory of another block of the cluster is shared memory") {
    cudaDeviceProp device;
    REQUIRE_CUDA(cudaGetDeviceProperties(&device, 0));
    if (device.major < 9) SKIP("clusters need compute capability 9.0");
    Buffer<int> out(16);
    cudaLaunchAttribute pair;
    pair.id = cudaLaunchAttributeClusterDimension;
    pair.val.clusterDim.x = 2;
    pair.val.clusterDim.y = pair.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 2;
    config.blockDim = 8;
    config.attrs = &pair;
    config.numAttrs = 1;
    COUNT_FROM_HERE;
    REQUIRE_CUDA(cudaLaunchKernelEx(&config, exchange, out.data()));
    std::vector<int> want(8, 8);
    want.resize(16, 7);
    CHECK_EQUAL(out.read(), want);
    CHECK_SEEN(shared_stores, 2);
    CHECK_SEEN(shared_loads, 16);
    CHECK_SEEN(global_loads, 0);
    CHECK_SEEN(global_stores, 16);
}

// ---- atomics -------------------------------------------------------------------------------------------------

/// Thread i increments bin i % n. On the executor, the atomicAdd of a float is a loop, but it counts as one
/// atomic.
__global__ void count(int* bins, int n, float* sum) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&bins[i % n], 1);
    if (i < 5) atomicAdd(sum, 1.0f);
}

CASE("an atomic update is neither a load nor a store") {
    Buffer<int> bins(7);
    Buffer<float> sum(1);
    COUNT_FROM_HERE;
    count<<<2, 32>>>(bins, 7, sum);
    CHECK_EQUAL(bins.read(), std::vector<int>{10, 9, 9, 9, 9, 9, 9});
    CHECK_EQUAL(sum.read(), std::vector<float>{5});
    CHECK_COUNT(atomics, 64 + 5);
    CHECK_SEEN(worst_contention, 10);
    CHECK_COUNT(global_loads, 0);
    CHECK_COUNT(global_stores, 0);
}

CASE("contention: the worst address of the worst kernel") {
    Buffer<int> bins(64);
    Buffer<float> sum(1);
    COUNT_FROM_HERE;
    count<<<2, 32>>>(bins, 64, sum);  // 5 updates of the float
    CHECK_EQUAL(bins.read(), std::vector<int>(64, 1));
    CHECK_SEEN(worst_contention, 5);
    count<<<2, 32>>>(bins, 4, sum);  // 16 updates of each bin
    count<<<2, 32>>>(bins, 8, sum);  // 8 updates of some bins that had 16 before
    CHECK_EQUAL(sum.read(), std::vector<float>{15});
    CHECK_SEEN(worst_contention, 16);
    COUNT_FROM_HERE;
    CHECK_COUNT(worst_contention, 0);
}

/// All threads of a block update one of the block's four counters.
__global__ void count_in_blocks(int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[blockIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = bins[threadIdx.x];
}

CASE("contention: a word of shared memory belongs to one block") {
    Buffer<int> out(8 * 4);
    COUNT_FROM_HERE;
    count_in_blocks<<<8, 32>>>(out);
    std::vector<int> want(32, 0);
    for (int block = 0; block < 8; ++block) want[block * 4 + block % 4] = 32;
    CHECK_EQUAL(out.read(), want);
    CHECK_COUNT(atomics, 8 * 32);
    CHECK_SEEN(worst_contention, 32);
    CHECK_SEEN(shared_loads, 8 * 4);
    CHECK_SEEN(shared_stores, 8 * 4);
}

__global__ void use_atomic_objects(int* cells, float* sum) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> cell(cells[threadIdx.x]), minimum(cells[32]);
    cell.store(static_cast<int>(threadIdx.x) + 1, cuda::memory_order_relaxed);
    minimum.fetch_min(cell.load(cuda::memory_order_relaxed));
    const cuda::atomic_ref<float, cuda::thread_scope_device> all(*sum);
    all.fetch_add(1.0f);
    int expected = -1;
    cell.compare_exchange_strong(expected, 5);
}

CASE("cuda::atomic: load and store are a load and a store, the rest are updates") {
    std::vector<int> want(33);
    std::iota(want.begin(), want.end(), 1);
    want[32] = 100;
    Buffer<int> cells(want);
    want[32] = 1;
    Buffer<float> sum(1);
    COUNT_FROM_HERE;
    use_atomic_objects<<<1, 32>>>(cells, sum);
    CHECK_EQUAL(cells.read(), want);
    CHECK_EQUAL(sum.read(), std::vector<float>{32});
    CHECK_COUNT(atomics, 3 * 32);
    CHECK_SEEN(worst_contention, 32);
    CHECK_SEEN(global_loads, 32);
    CHECK_SEEN(global_stores, 32);
    CHECK_SEEN(global_bytes_loaded, 4 * 32);
    CHECK_SEEN(global_bytes_stored, 4 * 32);
}

__global__ void reduce_in_groups(const int* in, int* out) {
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0) out[threadIdx.x / 32] = sum;
}

CASE("a reduction of a group is a collective of its warp") {
    Buffer<int> in(64, 1), out(2);
    COUNT_FROM_HERE;
    reduce_in_groups<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), (std::vector<int>{32, 32}));
    CHECK_COUNT(warp_collectives, 2);
}

CONFORMANCE_MAIN("counters")
