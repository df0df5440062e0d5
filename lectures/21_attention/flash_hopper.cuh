// Fused attention in bfloat16 for Hopper: the TMA brings tiles of K and V, and two warpgroups take turns with wgmma and the softmax.
#pragma once

#include "../20_matrix_product/hopper_ptx.cuh"
#include "flash.cuh"

namespace flash {

constexpr int kWgmmaKeys = 128;                // keys in a tile
constexpr int kRows = 64;                      // rows of a warpgroup: wgmma multiplies 64 rows
constexpr int kConsumers = kPartRows / kRows;  // warpgroups that compute
constexpr int kPanel = 64;                     // columns in 128 bytes, the widest row that the TMA swizzles
constexpr int kPanels = kHead / kPanel;
constexpr int kWgmmaThreads = 128 * (1 + kConsumers);
static_assert(kPartRows == kWgmmaKeys, "only the last tile of a part has hidden keys");

struct alignas(1024) Shared {
    Bfloat16 q[kConsumers][kPanels][kRows * kPanel];  // at the end, the result
    Bfloat16 k[kStages][kPanels][kWgmmaKeys * kPanel];
    Bfloat16 v[kStages][kPanels][kWgmmaKeys * kPanel];
    std::uint64_t q_full, k_full[kStages], k_empty[kStages], v_full[kStages], v_empty[kStages];
};

/// The stage that comes next, and the parity of its phase.
struct Ring {
    int stage = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++stage == kStages) stage = 0, parity ^= 1;
    }
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// ---- instructions that topic 20 does not need ----

/// Copies a box of a head to shared memory, and its bytes arrive at the barrier. Rows past the end of the head are zeros.
__device__ inline void load(void* to, const CUtensorMap& map, std::uint64_t* barrier, int column, int row,
                            int head) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, "
        "%5}], [%2];" ::"r"(hopper::shared_address(to)),
        "l"(&map), "r"(hopper::shared_address(barrier)), "r"(column), "r"(row), "r"(head)
        : "memory");
}
/// Copies a box from shared memory to a head. Rows past the end of the head are not written.
__device__ inline void store(const CUtensorMap& map, const void* from, int column, int row, int head) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map),
        "r"(hopper::shared_address(from)), "r"(column), "r"(row), "r"(head)
        : "memory");
}
__device__ inline void arrive(std::uint64_t* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(hopper::shared_address(barrier))
                 : "memory");
}

// clang-format off
#define KIT_PIECE(i) "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
#define KIT_PIECES KIT_PIECE(0), KIT_PIECE(1), KIT_PIECE(2), KIT_PIECE(3), KIT_PIECE(4), KIT_PIECE(5), KIT_PIECE(6), KIT_PIECE(7), \
                   KIT_PIECE(8), KIT_PIECE(9), KIT_PIECE(10), KIT_PIECE(11), KIT_PIECE(12), KIT_PIECE(13), KIT_PIECE(14), KIT_PIECE(15)
#define KIT_SUMS \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

/// d = a b^T if `add` is 0, and d += a b^T otherwise: 64 x 16 elements of a and 128 x 16 of b, both row by row in shared memory. It only
/// starts; see wait_for().
__device__ __forceinline__ void multiply_transposed(float (&d)[16][4], std::uint64_t a, std::uint64_t b, int add) {
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " KIT_SUMS ", %64, %65, add, 1, 1, 0, 0;\n}"
                 : KIT_PIECES : "l"(a), "l"(b), "r"(add));
}

/// d = a b if `add` is 0, and d += a b otherwise: 64 x 16 elements of a in registers, and 16 x 128 of b, row by row in shared memory.
__device__ __forceinline__ void multiply(float (&d)[16][4], const unsigned (&a)[4], std::uint64_t b, int add) {
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " KIT_SUMS ", {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n}"
                 : KIT_PIECES : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/// Waits until at most `pending` committed groups of products are unfinished. `d` belongs to a finished one: it is an operand so that the
/// compiler does not move reads of it before the wait.
template <int pending>
__device__ __forceinline__ void wait_for(float (&d)[16][4]) {
    asm volatile("wgmma.wait_group.sync.aligned %64;" : KIT_PIECES : "n"(pending) : "memory");
}
#undef KIT_SUMS
#undef KIT_PIECES
#undef KIT_PIECE
// clang-format on

/// The tensor cores change hands: a warpgroup waits for its turn, starts its products, and passes the turn. While it computes the softmax,
/// the products of the other one run. A named barrier for each warpgroup counts 128 threads that wait and 128 that signal.
__device__ inline void wait_for_turn(int group) {
    asm volatile("bar.sync %0, 256;" ::"r"(kConsumers + group) : "memory");
}
__device__ inline void pass_turn(int group) {
    asm volatile("bar.arrive %0, 256;" ::"r"(kConsumers + 3 - group) : "memory");
}

// ---- the producer ----

/// Fetches Q, and the tiles of K and V in the order in which the consumers need them: a tile of K is needed one step before the tile of V
/// with the same keys.
__device__ inline void produce(Shared& shared, const CUtensorMap& q, const CUtensorMap& k,
                               const CUtensorMap& v, Part part, int tiles) {
    const auto fetch = [&](Ring& ring, auto& stages, std::uint64_t* full, std::uint64_t* empty,
                           const CUtensorMap& map, int tile) {
        hopper::wait(&empty[ring.stage], ring.parity ^ 1);
        hopper::arrive_and_expect(&full[ring.stage], sizeof stages[0]);
        for (int panel = 0; panel < kPanels; ++panel)
            load(stages[ring.stage][panel], map, &full[ring.stage], panel * kPanel, tile * kWgmmaKeys,
                 part.head);
        ring.advance();
    };
    hopper::arrive_and_expect(&shared.q_full, sizeof shared.q);
    for (int group = 0; group < kConsumers; ++group)
        for (int panel = 0; panel < kPanels; ++panel)
            load(shared.q[group][panel], q, &shared.q_full, panel * kPanel,
                 part.number * kPartRows + group * kRows, part.head);
    Ring k_ring, v_ring;
    fetch(k_ring, shared.k, shared.k_full, shared.k_empty, k, tiles - 1);
#pragma unroll 1
    for (int tile = tiles - 1; tile > 0; --tile) {
        fetch(k_ring, shared.k, shared.k_full, shared.k_empty, k, tile - 1);
        fetch(v_ring, shared.v, shared.v_full, shared.v_empty, v, tile);
    }
    fetch(v_ring, shared.v, shared.v_full, shared.v_empty, v, 0);
}

// ---- the consumers ----

/// Starts S = Q K^T for the rows of a warpgroup. 16 columns of a panel are 32 bytes, so the address in the descriptor advances by 2.
__device__ __forceinline__ void start_scores(float (&scores)[16][4],
                                             const Bfloat16 (&q)[kPanels][kRows * kPanel],
                                             const Bfloat16 (&k)[kPanels][kWgmmaKeys * kPanel]) {
    hopper::begin_products();
#pragma unroll
    for (int step = 0; step < kHead / 16; ++step) {
        const int panel = step / (kPanel / 16), advance = step % (kPanel / 16) * 32 / 16;
        multiply_transposed(scores, hopper::describe(q[panel], 0, 8 * 128) + advance,
                            hopper::describe(k[panel], 0, 8 * 128) + advance, step > 0);
    }
    hopper::commit_products();
}

/// Starts sums += P V, or sums = P V if `add` is 0. 16 rows of a panel are 2048 bytes.
__device__ __forceinline__ void start_sums(float (&sums)[16][4],
                                           const unsigned (&weights)[kWgmmaKeys / 16][4],
                                           const Bfloat16 (&v)[kPanels][kWgmmaKeys * kPanel], int add) {
    const std::uint64_t b = hopper::describe(v, sizeof v[0], 8 * 128);
    hopper::begin_products();
#pragma unroll
    for (int step = 0; step < kWgmmaKeys / 16; ++step)
        multiply(sums, weights[step], b + step * 16 * 128 / 16, add || step > 0);
    hopper::commit_products();
}

/// Rounds the sums of a warpgroup to bfloat16, writes them to shared memory, swizzled as the TMA expects them, and from there with the TMA.
__device__ __forceinline__ void write(Bfloat16 (&to)[kPanels][kRows * kPanel], const CUtensorMap& map,
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
    for (int panel = 0; panel < kPanels; ++panel) store(map, to[panel], panel * kPanel, row, head);
    hopper::commit_stores();
    hopper::wait_until_read();  // the shared memory must exist until then
}

/// Computes the rows of a warpgroup. The products of a step are S of this tile and P V of the previous one. While P V runs, the warpgroup
/// computes the softmax of S.
__device__ inline void consume(Shared& shared, const CUtensorMap& out, const Sizes& sizes, float scale,
                               Part part, int tiles, int group) {
    const int thread = threadIdx.x % 128, row = part.number * kPartRows + (group - 1) * kRows;
    auto& q = shared.q[group - 1];
    const auto give_back = [&](std::uint64_t* empty) {
        if (thread == 0) arrive(empty);
    };
    Ring k, v;
    Softmax softmax;
    float scores[16][4], sums[16][4], keep[2];
    unsigned weights[kWgmmaKeys / 16][4];
    const auto round_weights = [&] {
#pragma unroll
        for (int step = 0; step < kWgmmaKeys / 16; ++step)
            to_factor(weights[step], scores[2 * step], scores[2 * step + 1]);
    };
    if (group == 2) pass_turn(group);

    // The last tile comes first, because only it has hidden keys.
    hopper::wait(&shared.q_full, 0);
    hopper::wait(&shared.k_full[k.stage], k.parity);
    start_scores(scores, q, shared.k[k.stage]);
    wait_for<0>(scores);
    give_back(&shared.k_empty[k.stage]);
    k.advance();
    if (sizes.causal || tiles * kWgmmaKeys > sizes.length)
        hide(scores, row + thread / 32 * 16 + thread % 32 / 4, (tiles - 1) * kWgmmaKeys, sizes);
    softmax.add(scores, scale, keep);
    round_weights();

    for (int step = 1; step < tiles; ++step) {
        hopper::wait(&shared.k_full[k.stage], k.parity);
        wait_for_turn(group);
        start_scores(scores, q, shared.k[k.stage]);
        hopper::wait(&shared.v_full[v.stage], v.parity);
        start_sums(sums, weights, shared.v[v.stage], step > 1);
        pass_turn(group);
        wait_for<1>(scores);
        give_back(&shared.k_empty[k.stage]);
        k.advance();
        softmax.add(scores, scale, keep);
        wait_for<0>(sums);
        give_back(&shared.v_empty[v.stage]);
        v.advance();
        multiply_rows(sums, keep);
        round_weights();
    }

    hopper::wait(&shared.v_full[v.stage], v.parity);
    start_sums(sums, weights, shared.v[v.stage], tiles > 1);
    wait_for<0>(sums);
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
            hopper::init(&shared.k_full[i], 1), hopper::init(&shared.k_empty[i], kConsumers);
            hopper::init(&shared.v_full[i], 1), hopper::init(&shared.v_empty[i], kConsumers);
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

/// Describes one of the matrices to the TMA, in boxes of `box_rows` rows and 64 columns.
inline CUtensorMap map_of(const Bfloat16* data, const Sizes& sizes, int box_rows) {
    static const auto encode = [] {
        void* function = nullptr;
        cudaDriverEntryPointQueryResult result;
        CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                    cudaEnableDefault, &result));
        return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    CUtensorMap map;
    const cuuint64_t extent[] = {kHead, static_cast<cuuint64_t>(sizes.length),
                                 static_cast<cuuint64_t>(sizes.heads)};
    const cuuint64_t pitch[] = {kHead * sizeof(Bfloat16), extent[1] * kHead * sizeof(Bfloat16)};
    const cuuint32_t box[] = {kPanel, static_cast<cuuint32_t>(box_rows), 1}, every[] = {1, 1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<Bfloat16*>(data), extent, pitch, box,
               every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuTensorMapEncodeTiled refuses %d x %d rows (error %d)\n", sizes.heads,
                     sizes.length, static_cast<int>(result));
        std::exit(1);
    }
    return map;
}

/// Returns whether the current device and this program have wgmma: compute capability 9.0, compiled for sm_90a.
inline bool has_wgmma() {
    int device = 0, major = 0, minor = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, fused_wgmma));
    return major == 9 && minor == 0 && attributes.numRegs > 100;  // without wgmma the kernel is empty
}

/// Does the same as attention_mma.
inline void attention_wgmma(const Sizes& sizes, const Bfloat16* q, const Bfloat16* k, const Bfloat16* v,
                            Bfloat16* out) {
    if (parts(sizes) == 0) return;
    constexpr int bytes = sizeof(Shared) + 1024;  // dynamic shared memory is not aligned to 1024 bytes
    CUDA_CHECK(cudaFuncSetAttribute(fused_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    fused_wgmma<<<parts(sizes), kWgmmaThreads, bytes>>>(map_of(q, sizes, kRows), map_of(k, sizes, kWgmmaKeys),
                                                        map_of(v, sizes, kWgmmaKeys),
                                                        map_of(out, sizes, kRows), sizes, scale_of_exp2());
    CUDA_CHECK_LAUNCH();
}

}  // namespace flash
