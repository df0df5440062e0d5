// Fused attention in bfloat16 for Hopper: the TMA brings tiles of K and V, and two warpgroups take turns with wgmma and the softmax.
#pragma once

#include "../20_matrix_product/hopper_ptx.cuh"
#include "flash.cuh"

namespace flash {

constexpr int kWgmmaKeys = 128;                // keys in a tile
constexpr int kRows = 64;                      // rows of a warpgroup: wgmma multiplies 64 rows
constexpr int kConsumers = kPartRows / kRows;  // warpgroups that compute
constexpr int kPanel = hopper::kPanel, kPanels = kHead / kPanel;
constexpr int kWgmmaThreads = 128 * (1 + kConsumers);
static_assert(kPartRows == kWgmmaKeys, "only the last tile of a part has hidden keys");

using Panel = Bfloat16[kRows * kPanel];           // 64 rows of Q
using WidePanel = Bfloat16[kWgmmaKeys * kPanel];  // the rows of a tile of K or V

/// Tiles of K or of V on their way from the producer to the consumers, and two barriers for each stage.
struct alignas(1024) Pipe {
    WidePanel tiles[kStages][kPanels];
    std::uint64_t full[kStages], empty[kStages];
};

struct Shared {
    alignas(1024) Panel q[kConsumers][kPanels];  // at the end, the result
    Pipe k, v;
    std::uint64_t q_full;
};

/// The stage of the next tile, and the parity of the phase of its barriers.
struct Stage {
    int index = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++index == kStages) index = 0, parity ^= 1;
    }
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// ---- the producer ----

/// Fetches Q, and the tiles of K and V in the order in which the consumers need them: a tile of K is needed one step before the tile of V
/// with the same keys.
__device__ inline void produce(Shared& shared, const CUtensorMap& q, const CUtensorMap& k,
                               const CUtensorMap& v, Part part, int tiles) {
    const auto fetch = [&](Pipe& pipe, Stage& stage, const CUtensorMap& map, int tile) {
        std::uint64_t* const full = &pipe.full[stage.index];
        hopper::wait(&pipe.empty[stage.index], stage.parity ^ 1);
        hopper::arrive_and_expect(full, sizeof pipe.tiles[0]);
        for (int panel = 0; panel < kPanels; ++panel)
            hopper::load(pipe.tiles[stage.index][panel], map, full, panel * kPanel, tile * kWgmmaKeys,
                         part.head);
        stage.advance();
    };
    hopper::arrive_and_expect(&shared.q_full, sizeof shared.q);
    for (int group = 0; group < kConsumers; ++group)
        for (int panel = 0; panel < kPanels; ++panel)
            hopper::load(shared.q[group][panel], q, &shared.q_full, panel * kPanel,
                         part.number * kPartRows + group * kRows, part.head);
    Stage of_k, of_v;
    fetch(shared.k, of_k, k, tiles - 1);
#pragma unroll 1
    for (int tile = tiles - 1; tile > 0; --tile) {
        fetch(shared.k, of_k, k, tile - 1);
        fetch(shared.v, of_v, v, tile);
    }
    fetch(shared.v, of_v, v, 0);
}

// ---- the consumers ----

/// Starts S = Q K^T for the rows of a warpgroup. 16 columns of a panel are 32 bytes, so the address in the descriptor advances by 2.
__device__ __forceinline__ void start_scores(float (&scores)[16][4], const Panel (&q)[kPanels],
                                             const WidePanel (&k)[kPanels]) {
    hopper::begin_products();
#pragma unroll
    for (int step = 0; step < kHead / 16; ++step) {
        const int panel = step / (kPanel / 16), advance = step % (kPanel / 16) * 32 / 16;
        hopper::multiply_transposed(scores, hopper::describe(q[panel], 0, 8 * 128) + advance,
                                    hopper::describe(k[panel], 0, 8 * 128) + advance, step > 0);
    }
    hopper::commit_products();
}

/// Starts sums += P V, or sums = P V if `add` is 0. 16 rows of a panel are 2048 bytes.
__device__ __forceinline__ void start_sums(float (&sums)[16][4],
                                           const unsigned (&weights)[kWgmmaKeys / 16][4],
                                           const WidePanel (&v)[kPanels], int add) {
    const std::uint64_t b = hopper::describe(v, sizeof v[0], 8 * 128);
    hopper::begin_products();
#pragma unroll
    for (int step = 0; step < kWgmmaKeys / 16; ++step)
        hopper::multiply(sums, weights[step], b + step * 16 * 128 / 16, add || step > 0);
    hopper::commit_products();
}

/// Rounds the sums of a warpgroup to bfloat16, writes them to shared memory, swizzled as the TMA expects them, and from there with the TMA.
__device__ __forceinline__ void write(Panel (&to)[kPanels], const CUtensorMap& map,
                                      const float (&sums)[16][4], int group, int row, int head) {
    const int thread = threadIdx.x % 128, own_row = thread / 32 * 16 + thread % 16, right = thread % 32 / 16;
    hopper::sync_warpgroup(group);  // the products of all warps have read Q
#pragma unroll
    for (int i = 0; i < kHead / 8; i += 2) {  // 16 columns
        unsigned pairs[4];
        to_factor(pairs, sums[i], sums[i + 1]);
        const int chunk = i % 8 + right;
        hopper::store_matrices(&to[i / 8][own_row * kPanel + (chunk ^ own_row % 8) * 8], pairs);
    }
    hopper::publish_to_tma();
    hopper::sync_warpgroup(group);  // all stores of the warpgroup are visible to the TMA
    if (thread != 0) return;
    for (int panel = 0; panel < kPanels; ++panel) hopper::store(map, to[panel], panel * kPanel, row, head);
    hopper::commit_stores();
    hopper::wait_until_read();  // the shared memory must exist until then
}

/// The two warpgroups take turns at the tensor cores: one waits, starts its products, and lets the other start. So its softmax runs during
/// the products of the other. Each warpgroup has a named barrier, which counts 128 threads that wait and 128 that signal.
__device__ inline void wait_for_turn(int group) {
    asm volatile("bar.sync %0, 256;" ::"r"(kConsumers + group) : "memory");
}
__device__ inline void pass_turn(int group) {
    asm volatile("bar.arrive %0, 256;" ::"r"(kConsumers + 3 - group) : "memory");
}

/// Waits for the next tile, and returns its panels.
__device__ __forceinline__ WidePanel (&take(Pipe& pipe, const Stage& stage))[kPanels] {
    hopper::wait(&pipe.full[stage.index], stage.parity);
    return pipe.tiles[stage.index];
}
/// Lets the producer overwrite the tile, when both warpgroups have called it. The products with the tile have finished.
__device__ __forceinline__ void give_back(Pipe& pipe, Stage& stage) {
    if (threadIdx.x % 128 == 0) hopper::arrive(&pipe.empty[stage.index]);
    stage.advance();
}

/// Computes the rows of a warpgroup. The products of a step are S of this tile and P V of the previous one. While P V runs, the warpgroup
/// computes the softmax of S.
__device__ inline void consume(Shared& shared, const CUtensorMap& out, const Sizes& sizes, float scale,
                               Part part, int tiles, int group) {
    const int thread = threadIdx.x % 128, row = part.number * kPartRows + (group - 1) * kRows;
    auto& q = shared.q[group - 1];
    Stage of_k, of_v;
    Softmax softmax;
    float scores[16][4], sums[16][4], keep[2];
    unsigned weights[kWgmmaKeys / 16][4];
    const auto round_weights = [&] {
#pragma unroll
        for (int step = 0; step < kWgmmaKeys / 16; ++step)
            to_factor(weights[step], scores[2 * step], scores[2 * step + 1]);
    };
    if (group == 2) pass_turn(group);  // warpgroup 1 starts

    // The last tile comes first, because only it has hidden keys.
    hopper::wait(&shared.q_full, 0);
    start_scores(scores, q, take(shared.k, of_k));
    hopper::wait_for<0>(scores);
    give_back(shared.k, of_k);
    if (sizes.causal || tiles * kWgmmaKeys > sizes.length)
        hide(scores, row + thread / 32 * 16 + thread % 32 / 4, (tiles - 1) * kWgmmaKeys, sizes);
    softmax.add(scores, scale, keep);
    round_weights();

    for (int step = 1; step < tiles; ++step) {
        const auto& k = take(shared.k, of_k);
        wait_for_turn(group);
        start_scores(scores, q, k);
        start_sums(sums, weights, take(shared.v, of_v), step > 1);
        pass_turn(group);
        hopper::wait_for<1>(scores);
        give_back(shared.k, of_k);
        softmax.add(scores, scale, keep);
        hopper::wait_for<0>(sums);
        give_back(shared.v, of_v);
        multiply_rows(sums, keep);
        round_weights();
    }

    start_sums(sums, weights, take(shared.v, of_v), tiles > 1);
    hopper::wait_for<0>(sums);
    softmax.divide(sums);
    write(q, out, sums, group, row, part.head);
}
#endif

// Like fused_mma, but the tensor cores read Q, K and V from shared memory, and the copies need no instructions of the warps that compute.
// Mapping : a block computes 128 rows of a head. One thread starts copies; two warpgroups compute 64 rows each.
// Cost    : each warpgroup has 64 scores, 64 sums and 32 pairs of weights per thread: 160 registers of 240.
// Requires: blockDim = kWgmmaThreads; sizeof(Shared) + 1024 bytes of dynamic shared memory; sm_90a.
__global__ void __launch_bounds__(kWgmmaThreads, 1)
    fused_wgmma(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
                const __grid_constant__ CUtensorMap v, const __grid_constant__ CUtensorMap out, Sizes sizes,
                float scale) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ unsigned char memory[];
    Shared& shared =
        *reinterpret_cast<Shared*>((reinterpret_cast<std::uintptr_t>(memory) + 1023) / 1024 * 1024);
    if (threadIdx.x == 0) {
        hopper::init(&shared.q_full, 1);
        for (int i = 0; i < kStages; ++i) {
            hopper::init(&shared.k.full[i], 1), hopper::init(&shared.k.empty[i], kConsumers);
            hopper::init(&shared.v.full[i], 1), hopper::init(&shared.v.empty[i], kConsumers);
        }
        hopper::publish_barriers();
    }
    __syncthreads();  // the barriers are initialized
    const Part part = part_of(blockIdx.x, sizes);
    const int tiles = sizes.causal ? part.number + 1 : kit::ceil_div(sizes.length, kWgmmaKeys);
    const int group = threadIdx.x / 128;
    if (group == 0) {
        hopper::give_registers<24>();
        if (threadIdx.x == 0) produce(shared, q, k, v, part, tiles);
    } else {
        hopper::take_registers<240>();
        consume(shared, out, sizes, scale, part, tiles, group);
    }
#endif
}

inline bool has_wgmma() {
    return hopper::can_run(fused_wgmma);
}

/// Does the same as attention_mma.
inline void attention_wgmma(const Sizes& sizes, const Bfloat16* q, const Bfloat16* k, const Bfloat16* v,
                            Bfloat16* out) {
    if (parts(sizes) == 0) return;
    constexpr int bytes = sizeof(Shared) + 1024;  // dynamic shared memory is not aligned to 1024 bytes
    CUDA_CHECK(cudaFuncSetAttribute(fused_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const auto map = [&](const Bfloat16* matrix, int box_rows) {
        return hopper::map_of(matrix, {kHead, sizes.length, sizes.heads}, box_rows);
    };
    fused_wgmma<<<parts(sizes), kWgmmaThreads, bytes>>>(map(q, kRows), map(k, kWgmmaKeys), map(v, kWgmmaKeys),
                                                        map(out, kRows), sizes, scale_of_exp2());
    CUDA_CHECK_LAUNCH();
}

}  // namespace flash
