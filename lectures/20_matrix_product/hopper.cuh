// v8 of the demo, for Hopper: the TMA brings tiles to a persistent grid, one warpgroup of a block fetches, and two multiply with wgmma.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>

#include "hopper_ptx.cuh"
#include "kit.cuh"

namespace hopper {

constexpr int kRows = 128, kColumns = 256, kDepth = 64;  // the tile of a block, in elements
constexpr int kStages = 4;                               // tiles of A and B in shared memory
constexpr int kCluster = 2;    // blocks, one below the other, that share the tiles of B
constexpr int kConsumers = 2;  // warpgroups that multiply; each has 64 rows of the tile
constexpr int kThreads = 128 * (1 + kConsumers);
constexpr int kOut = 128;  // columns that a warpgroup writes to shared memory at a time
constexpr int kGroup = 8;  // rows of cluster tiles that run together, so that L2 holds what they share

struct alignas(1024) Shared {
    __nv_bfloat16 a[kStages][kRows * kDepth];
    __nv_bfloat16 b[kStages][kColumns / kPanel][kDepth * kPanel];
    __nv_bfloat16 c[kConsumers][kOut / kPanel][64 * kPanel];
    std::uint64_t full[kStages], empty[kStages];
};

struct Sizes {
    int m, n, k;
};

/// The tiles of a cluster. Clusters that run at the same time have neighbouring tiles.
class Tiles {
  public:
    __host__ __device__ explicit Tiles(const Sizes& of, int first = 0)
        : rows_((of.m + kCluster * kRows - 1) / (kCluster * kRows)),
          columns_((of.n + kColumns - 1) / kColumns),
          next_(first) {}
    __host__ __device__ int count() const { return rows_ * columns_; }
    /// Takes the next tile of this cluster. Returns false if there is none.
    __device__ bool take(int clusters, int& row, int& column) {
        if (next_ >= count()) return false;
        const int group = next_ / (kGroup * columns_), in_group = next_ % (kGroup * columns_);
        const int height = min(kGroup, rows_ - group * kGroup);
        row = group * kGroup + in_group % height;
        column = in_group / height;
        next_ += clusters;
        return true;
    }

  private:
    int rows_, columns_, next_;
};

/// The stage that comes next, and the parity of its phase.
struct Turn {
    int stage = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++stage == kStages) stage = 0, parity ^= 1;
    }
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
/// What one thread of the producer does: it fetches all tiles of the cluster. Each block fetches its part of B for both.
__device__ inline void produce(Shared& shared, const CUtensorMap& a, const CUtensorMap& b, Tiles tiles,
                               int steps) {
    const int block = blockIdx.x % kCluster;
    constexpr int mine = kColumns / kPanel / kCluster;
    Turn turn;
    int row, column;
    while (tiles.take(gridDim.x / kCluster, row, column)) {
        for (int step = 0; step < steps; ++step, turn.advance()) {
            std::uint64_t* const full = &shared.full[turn.stage];
            wait(&shared.empty[turn.stage], turn.parity ^ 1);
            arrive_and_expect(full, (kRows + kColumns) * kDepth * sizeof(__nv_bfloat16));
            load(shared.a[turn.stage], a, full, step * kDepth, (row * kCluster + block) * kRows);
            for (int panel = block * mine; panel < (block + 1) * mine; ++panel)
                load_for((1 << kCluster) - 1, shared.b[turn.stage][panel], b, full,
                         column * kColumns + panel * kPanel, step * kDepth);
        }
    }
}

/// Writes the sums of a warpgroup to C: as bfloat16 to shared memory, swizzled as the TMA expects it, and from there by the TMA.
__device__ inline void write(Shared& shared, const CUtensorMap& c, const float (&sums)[128], int group,
                             int row, int column) {
    const int thread = threadIdx.x % 128, lane = thread % 32, own_row = thread / 32 * 16 + lane % 16;
    auto& out = shared.c[group - 1];
#pragma unroll
    for (int half = 0; half < kColumns / kOut; ++half) {
        if (thread == 0) wait_until_read();
        sync_warpgroup(group);
#pragma unroll
        for (int eight = 0; eight < kOut / 8; eight += 2) {  // 8 x 8 matrices, two side by side
            std::uint32_t pairs[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int first = half * kOut / 2 + 4 * eight + 2 * i;
                const __nv_bfloat162 pair = __floats2bfloat162_rn(sums[first], sums[first + 1]);
                pairs[i] = *reinterpret_cast<const std::uint32_t*>(&pair);
            }
            const int chunk = eight + lane / 16;
            store_matrices(&out[chunk / 8][own_row * kPanel + (chunk % 8 ^ own_row % 8) * 8], pairs);
        }
        publish_to_tma();
        sync_warpgroup(group);
        if (thread == 0) {
            for (int panel = 0; panel < kOut / kPanel; ++panel)
                store(c, out[panel], column * kColumns + half * kOut + panel * kPanel, row);
            commit_stores();
        }
    }
}

/// What a consumer does: it multiplies the tiles of the cluster as they arrive. The products of one step are still running when the next
/// step begins, so a stage is given back one step later.
template <bool fence>
__device__ void consume(Shared& shared, const CUtensorMap& c, Tiles tiles, int steps, int group) {
    const int block = blockIdx.x % kCluster, thread = threadIdx.x % 128;
    const auto give_back = [&](int stage) {
        if (thread < kCluster) arrive_at<fence>(&shared.empty[stage], thread);
    };
    Turn turn;
    int row, column;
    float sums[128];
    while (tiles.take(gridDim.x / kCluster, row, column)) {
        int before = -1;
        for (int step = 0; step < steps; ++step, turn.advance()) {
            wait(&shared.full[turn.stage], turn.parity);
            begin_products();
            const std::uint64_t a = describe(&shared.a[turn.stage][(group - 1) * 64 * kDepth], 0, 8 * 128);
            const std::uint64_t b = describe(shared.b[turn.stage], sizeof shared.b[0][0], 8 * 128);
            constexpr int next_a = 16 * 2,
                          next_b = 16 * 128;  // bytes to the next 16 columns of A, and rows of B
#pragma unroll
            for (int k = 0; k < kDepth / 16; ++k)
                multiply(sums, a + k * next_a / 16, b + k * next_b / 16, step > 0 || k > 0);
            commit_products();
            wait_for_products<1>();
            if (before >= 0) give_back(before);
            before = turn.stage;
        }
        wait_for_products<0>();
        give_back(before);
        write(shared, c, sums, group, (row * kCluster + block) * kRows + (group - 1) * 64, column);
    }
    if (thread == 0) wait_until_stored();
}
#endif

/// `fence`: with the fence of arrive_at, for comparison.
template <bool fence>
__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads, 1)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
            const __grid_constant__ CUtensorMap c, Sizes sizes) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ unsigned char memory[];
    Shared& shared =
        *reinterpret_cast<Shared*>((reinterpret_cast<std::uintptr_t>(memory) + 1023) / 1024 * 1024);
    if (threadIdx.x == 0) {
        for (int i = 0; i < kStages; ++i)
            init(&shared.full[i], 1), init(&shared.empty[i], kConsumers * kCluster);
        publish_barriers();
    }
    sync_cluster();
    const Tiles tiles(sizes, blockIdx.x / kCluster);
    const int steps = (sizes.k + kDepth - 1) / kDepth, group = threadIdx.x / 128;
    if (group == 0) {
        give_registers<40>();
        if (threadIdx.x == 0) produce(shared, a, b, tiles, steps);
    } else {
        take_registers<232>();
        consume<fence>(shared, c, tiles, steps, group);
    }
    sync_cluster();  // a block must not end while the other may still arrive at its barriers
#endif
}

/// Returns whether the current device and this program have wgmma: compute capability 9.0, compiled for sm_90a.
inline bool available() {
    return can_run(product<false>);
}

/// c = a b, for row-major matrices of m x k, k x n and m x n elements in device memory, without gaps between rows. n and k are multiples
/// of 8. Sums are floats, and are rounded to bfloat16 at the end.
template <bool fence = false>
void launch(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, Sizes sizes) {
    constexpr int bytes = sizeof(Shared) + 1024;  // dynamic shared memory is not aligned to 1024 bytes
    CUDA_CHECK(cudaFuncSetAttribute(product<fence>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device = 0, processors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const int clusters = std::min(Tiles(sizes).count(), processors / kCluster);
    product<fence><<<clusters * kCluster, kThreads, bytes>>>(map_of(a, {sizes.k, sizes.m}, kRows),
                                                             map_of(b, {sizes.n, sizes.k}, kDepth),
                                                             map_of(c, {sizes.n, sizes.m}, 64), sizes);
    CUDA_CHECK_LAUNCH();
}

}  // namespace hopper
