// Fused attention in bfloat16 with mma.sync: the scores of a tile exist only in registers. flash_hopper.cuh does the same with wgmma.
//
// A head has three matrices of `length` rows and 128 columns: the queries Q, the keys K and the values V. Row i of the result is a weighted
// mean of the rows of V. The weight of row j is exp(s_ij) / sum over j of exp(s_ij), and the score s_ij is q_i k_j / sqrt(128). With
// `causal`, query i uses the keys 0 to i.
#pragma once

#include <cuda_bf16.h>

#include <cmath>
#include <cstddef>

#include "kit.cuh"

namespace flash {

using Bfloat16 = __nv_bfloat16;

constexpr int kHead = 128;      // columns of Q, K, V and the result
constexpr int kPartRows = 128;  // rows of the result that a block computes
constexpr int kStages = 2;      // tiles of K and of V in shared memory: one is used while the other is filled

struct Sizes {
    int heads;   // heads of all sequences of the batch; they follow each other in memory
    int length;  // rows of a head; any number
    bool causal;
};

// ---- the order of the work ----

/// The part of the result that a block computes: kPartRows rows of a head, starting at row `number * kPartRows`.
struct Part {
    int head, number;
};

inline int parts(const Sizes& sizes) {
    return sizes.heads * kit::ceil_div(sizes.length, kPartRows);
}

/// Returns the part of block `block`. Blocks start in the order of their numbers. Two rules determine the order:
/// - Heads follow each other in groups whose K and V fit in the L2 cache together, because all parts of a head read all of its K and V.
/// - In a group, the last rows come first. With `causal`, they have the most scores. If the largest part started last, the other
///   multiprocessors would wait for it.
__device__ inline Part part_of(int block, const Sizes& sizes) {
    constexpr int cached = 20 << 20;  // bytes of K and V, well below the 50 MB of L2
    const int count = kit::ceil_div(sizes.length, kPartRows);
    const int together = max(1, cached / (2 * kHead * static_cast<int>(sizeof(Bfloat16))) / sizes.length);
    const int first = block / (together * count) * together, in_group = block - first * count;
    const int heads = min(together, sizes.heads - first);
    return {first + in_group % heads, count - 1 - in_group / heads};
}

// ---- the softmax in registers ----
//
// mma.sync and wgmma leave the scores of a tile in the same layout. A warp has 16 rows. Lane i has the columns 2 * (i % 4) and 2 * (i % 4) + 1
// of each piece of eight columns, in row i / 4 (elements 0 and 1) and in row i / 4 + 8 (elements 2 and 3). So four lanes share a row.

__device__ inline float exp2_fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// The maximum and the sum of the scores so far, for the two rows of a lane. The sum covers only the columns of this lane.
struct Softmax {
    float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};

    /// Replaces the scores s of the next tile by their weights exp(scale * (s - largest)). Earlier weights refer to an older maximum. They
    /// become right when they are multiplied by `keep`. exp(x) is computed as exp2(x * log2(e)), and the caller has multiplied the scale by
    /// log2(e), so a weight costs one multiply-add and one ex2.
    template <int pieces>
    __device__ __forceinline__ void add(float (&s)[pieces][4], float scale, float (&keep)[2]) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float even = largest[half], odd = even;
#pragma unroll
            for (int i = 0; i < pieces; ++i) {
                even = fmaxf(even, s[i][2 * half]);
                odd = fmaxf(odd, s[i][2 * half + 1]);
            }
            float top = fmaxf(even, odd);
            top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
            top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
            keep[half] = exp2_fast((largest[half] - top) * scale);  // 0 for the first tile
            largest[half] = top;
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float offset = largest[half] * scale;
            float even = 0, odd = 0;
#pragma unroll
            for (int i = 0; i < pieces; ++i) {
                even += s[i][2 * half] = exp2_fast(fmaf(s[i][2 * half], scale, -offset));
                odd += s[i][2 * half + 1] = exp2_fast(fmaf(s[i][2 * half + 1], scale, -offset));
            }
            sum[half] = fmaf(sum[half], keep[half], even + odd);
        }
    }

    /// Divides the weighted sums of the rows by the sums of the weights. All columns have been added.
    template <int pieces>
    __device__ __forceinline__ void divide(float (&sums)[pieces][4]) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
            sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
            const float inverse = 1 / sum[half];
#pragma unroll
            for (int i = 0; i < pieces; ++i) sums[i][2 * half] *= inverse, sums[i][2 * half + 1] *= inverse;
        }
    }
};

template <int pieces>
__device__ __forceinline__ void multiply_rows(float (&sums)[pieces][4], const float (&factors)[2]) {
#pragma unroll
    for (int i = 0; i < pieces; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e) sums[i][e] *= factors[e / 2];
}

/// Hides keys from rows: sets their scores to minus infinity, so that their weights are 0. `row` is the first of the two rows of this lane,
/// and `first_key` is the key of column 0.
template <int pieces>
__device__ __forceinline__ void hide(float (&s)[pieces][4], int row, int first_key, const Sizes& sizes) {
    const int own_key = first_key + threadIdx.x % 4 * 2;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int end = sizes.causal ? min(row + 8 * half + 1, sizes.length) : sizes.length;
#pragma unroll
        for (int i = 0; i < pieces; ++i)
#pragma unroll
            for (int e = 0; e < 2; ++e)
                if (own_key + 8 * i + e >= end) s[i][2 * half + e] = -INFINITY;
    }
}

__device__ __forceinline__ unsigned pair_of(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&pair);
}

/// Rounds the weights of 16 keys to bfloat16. The layout of two pieces of sums is the layout of a factor of 16 x 16, so the weights stay in
/// their lanes.
__device__ __forceinline__ void to_factor(unsigned (&a)[4], const float (&left)[4], const float (&right)[4]) {
    a[0] = pair_of(left[0], left[1]), a[1] = pair_of(left[2], left[3]);
    a[2] = pair_of(right[0], right[1]), a[3] = pair_of(right[2], right[3]);
}

inline float scale_of_exp2() {
    return 1.44269504f / std::sqrt(static_cast<float>(kHead));  // log2(e) / sqrt(128)
}

// ---- the instructions (sm_80) ----

/// Starts to copy `bytes` bytes (0 to 16) to shared memory, and fills the rest of the 16 bytes with zeros.
__device__ inline void copy_chunk(unsigned to, const void* from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ inline void commit_copies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
__device__ inline void wait_for_copies() {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
}

/// Loads four matrices of 8 x 8 numbers. Lane i passes the address of row i % 8 of matrix i / 8, and receives of each matrix the numbers
/// 2 * (i % 4) and 2 * (i % 4) + 1 of row i / 4.
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}
/// Does the same with each matrix transposed: a lane receives two numbers of column i / 4.
__device__ __forceinline__ void load_transposed(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

/// Adds the product of a 16 x 16 and a 16 x 8 matrix to `sums`.
__device__ __forceinline__ void multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// ---- the kernel ----

constexpr int kMmaKeys = 64;                                     // keys in a tile
constexpr int kMmaThreads = kPartRows / 16 * 32;                 // a warp for each 16 rows
constexpr int kTileBytes = kMmaKeys * kHead * sizeof(Bfloat16);  // size of a tile of K, or of V
constexpr int kStageBytes = 2 * kTileBytes;                      // a stage has a tile of K, then a tile of V
static_assert(kPartRows * kHead * sizeof(Bfloat16) <= kStageBytes, "Q passes through the second stage");

/// Returns the offset of chunk `chunk` (16 bytes) of row `row` in a tile with rows of 256 bytes. Equal chunks of eight consecutive rows are
/// in different banks, so ldmatrix has no conflicts.
__device__ __forceinline__ unsigned place(int row, int chunk) {
    return row * kHead * 2 + (chunk ^ row % 8) * 16;
}

/// Starts to copy `rows` rows of a head to a tile. Rows past the end are zeros.
template <int rows>
__device__ __forceinline__ void copy_rows(unsigned tile, const Bfloat16* head, int first, int length) {
    constexpr int chunks = kHead / 8;
#pragma unroll
    for (int i = 0; i < rows * chunks / kMmaThreads; ++i) {
        const int chunk = threadIdx.x % chunks, row = i * (kMmaThreads / chunks) + threadIdx.x / chunks;
        const bool exists = first + row < length;
        const std::size_t from = exists ? static_cast<std::size_t>(first + row) * kHead + chunk * 8 : 0;
        copy_chunk(tile + place(row, chunk), head + from, exists ? 16 : 0);
    }
}

// Each warp computes 16 rows of the result. Tiles of K and V pass through shared memory, and everything else is in registers.
// Mapping : a block computes kPartRows rows of a head. A lane has 64 sums, 32 scores, and the pieces of Q in 32 registers.
// Cost    : one barrier for each tile of 64 keys. Every warp reads the whole tile from shared memory: 2 cycles for each mma.sync.
// Requires: blockDim = kMmaThreads; a block for each part; kStages * kStageBytes bytes of dynamic shared memory; sm_80.
// Next    : wgmma multiplies 64 rows with one tile, and reads the tile once for them; see flash_hopper.cuh.
__global__ void __launch_bounds__(kMmaThreads)
    fused_mma(Sizes sizes, float scale, const Bfloat16* q, const Bfloat16* k, const Bfloat16* v,
              Bfloat16* out) {
    extern __shared__ __align__(128) char shared[];
    const unsigned stages = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const Part part = part_of(blockIdx.x, sizes);
    const std::size_t head = static_cast<std::size_t>(part.head) * sizes.length * kHead;
    const int first_row = part.number * kPartRows + 16 * warp;  // the first of the 16 rows of this warp
    const int keys = sizes.causal ? min((part.number + 1) * kPartRows, sizes.length) : sizes.length;
    const int tiles = kit::ceil_div(keys, kMmaKeys);
    const auto copy = [&](int tile) {
        const unsigned stage = stages + tile % kStages * kStageBytes;
        copy_rows<kMmaKeys>(stage, k + head, tile * kMmaKeys, sizes.length);
        copy_rows<kMmaKeys>(stage + kTileBytes, v + head, tile * kMmaKeys, sizes.length);
        commit_copies();
    };

    // Q passes through the second stage into registers, where it stays.
    copy_rows<kPartRows>(stages + kStageBytes, q + head, part.number * kPartRows, sizes.length);
    copy(0);
    wait_for_copies();
    __syncthreads();  // the copies of all threads have landed
    unsigned own_q[kHead / 16][4];
#pragma unroll
    for (int step = 0; step < kHead / 16; ++step)
        load_matrices(own_q[step], stages + kStageBytes + place(16 * warp + lane % 16, 2 * step + lane / 16));

    float sums[kHead / 8][4] = {};
    Softmax softmax;
    for (int tile = 0; tile < tiles; ++tile) {
        wait_for_copies();
        __syncthreads();  // the copies of this tile have landed, and all warps have read the other stage
        if (tile + 1 < tiles) copy(tile + 1);
        const int first_key = tile * kMmaKeys;
        if (sizes.causal && first_key > first_row + 15) continue;  // all rows of this warp precede the keys
        const unsigned k_tile = stages + tile % kStages * kStageBytes, v_tile = k_tile + kTileBytes;

        // S = Q K^T. A row of the tile is a column of K^T, so ldmatrix loads factors for mma.sync without transposing.
        float scores[kMmaKeys / 8][4] = {};
#pragma unroll
        for (int step = 0; step < kHead / 16; ++step) {
#pragma unroll
            for (int j = 0; j < kMmaKeys / 16; ++j) {
                unsigned b[4];
                load_matrices(b, k_tile + place(16 * j + lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2));
                multiply(scores[2 * j], own_q[step], b[0], b[1]);
                multiply(scores[2 * j + 1], own_q[step], b[2], b[3]);
            }
        }

        // Most tiles have no hidden keys: only those on the diagonal, and the last one.
        const bool on_diagonal = sizes.causal && first_key + kMmaKeys - 1 > first_row;
        if (on_diagonal || first_key + kMmaKeys > sizes.length)
            hide(scores, first_row + lane / 4, first_key, sizes);
        float keep[2];
        softmax.add(scores, scale, keep);
        multiply_rows(sums, keep);

        // sums += P V. The keys are the rows of the tile of V, so ldmatrix transposes.
#pragma unroll
        for (int step = 0; step < kMmaKeys / 16; ++step) {
            unsigned weights[4];
            to_factor(weights, scores[2 * step], scores[2 * step + 1]);
#pragma unroll
            for (int j = 0; j < kHead / 16; ++j) {
                unsigned b[4];
                load_transposed(b, v_tile + place(16 * step + lane % 16, 2 * j + lane / 16));
                multiply(sums[2 * j], weights, b[0], b[1]);
                multiply(sums[2 * j + 1], weights, b[2], b[3]);
            }
        }
    }

    softmax.divide(sums);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int row = first_row + lane / 4 + 8 * half;
        if (row >= sizes.length) continue;
        Bfloat16* const to = out + head + static_cast<std::size_t>(row) * kHead + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < kHead / 8; ++i)
            *reinterpret_cast<__nv_bfloat162*>(to + 8 * i) =
                __floats2bfloat162_rn(sums[i][2 * half], sums[i][2 * half + 1]);
    }
}

/// Computes the attention of all heads. Each matrix has sizes.heads * sizes.length rows of kHead numbers, one after another, and is aligned
/// to 16 bytes.
inline void attention_mma(const Sizes& sizes, const Bfloat16* q, const Bfloat16* k, const Bfloat16* v,
                          Bfloat16* out) {
    if (parts(sizes) == 0) return;
    constexpr int bytes = kStages * kStageBytes;
    CUDA_CHECK(cudaFuncSetAttribute(fused_mma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    fused_mma<<<parts(sizes), kMmaThreads, bytes>>>(sizes, scale_of_exp2(), q, k, v, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace flash
