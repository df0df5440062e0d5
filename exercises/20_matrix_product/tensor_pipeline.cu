// 20_matrix_product/tensor_pipeline: three swizzled stages, ldmatrix and mma.sync.
//
// Build: nvcc -std=c++17 -arch=sm_80 -I../../common -I../../tests tensor_pipeline.cu
//        ../../tests/20_matrix_product/tensor_pipeline_test.cu -o tensor_pipeline
// Run:   ./tensor_pipeline
//
//   v6  product_v6_pipeline  like v5, but with asynchronous copies of 16 bytes into several stages, and fragments in registers

#include <cstdint>

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

constexpr int kTileDepth = 64;  // elements of k in a stage
constexpr int kStages = 3;      // stages: one is multiplied while the others are being copied
constexpr int kQuarter = 64;    // rows and columns of C that a warp computes
constexpr int kGroup = 8;       // rows of blocks that run one after another down a column
constexpr int kChunk = 8;       // elements of 16 bytes, the unit of copies and of ldmatrix

constexpr int kSteps = kTileDepth / 16;  // products of mma.sync in a stage, one after another
constexpr int kPiecesM = kQuarter / 16;  // 16 x 8 pieces of C in a column of the warp's part, and in a row
constexpr int kPiecesN = kQuarter / 8;

/// The elements of C that a block computes, and what follows from them.
template <int block_rows, int block_columns>
struct Shape {
    static constexpr int rows = block_rows, columns = block_columns;
    static constexpr int warps_in_a_row = columns / kQuarter;
    static constexpr int threads = rows / kQuarter * warps_in_a_row * 32;
    static constexpr int chunks_a = kTileDepth / kChunk,
                         chunks_b = columns / kChunk;      // chunks in a row of a stage
    static constexpr int bytes_a = rows * kTileDepth * 2;  // a stage has its part of A, then its part of B
    static constexpr int stage_bytes = bytes_a + kTileDepth * columns * 2;
    static_assert(chunks_a == 8, "the swizzle exchanges the chunks of rows of 128 bytes");
};

// ---- the instructions ----

/// Starts to copy `bytes` bytes (0 to 16) to shared memory, and fills the rest of the 16 bytes with zeros.
__device__ inline void copy_chunk(unsigned to, const void* from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

/// Closes the group of the copies that this thread has started since the last group.
__device__ inline void commit_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most `pending` groups of this thread, the newest ones, are in flight.
template <int pending>
__device__ inline void wait_for_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// Loads four matrices of 8 x 8 numbers. Lane i passes the address of row i % 8 of matrix i / 8, and receives of each matrix the
/// numbers 2 * (i % 4) and 2 * (i % 4) + 1 of row i / 4.
__device__ inline void load_matrices(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

/// Does the same with each matrix transposed: a lane receives two numbers of column i / 4.
__device__ inline void load_transposed(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

/// Adds the product of a 16 x 16 and a 16 x 8 matrix of bfloat16 to `sums`. Lane i has the sums of row i / 4, columns 2 * (i % 4) and
/// 2 * (i % 4) + 1, and those of row i / 4 + 8.
__device__ inline void multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// ---- the stages ----

/// Returns the chunk in which chunk `chunk` of row `row` is stored. Rows are exchanged so that ldmatrix has no bank conflicts.
__device__ inline int swizzled(int row, int chunk) {
    // TODO(1): Combine the chunk with the row, so that equal chunks of eight consecutive rows are in different banks. 1 line.
    KIT_TODO(1, row);
    return chunk;
}

/// Copies rows of a matrix to a stage: `rows` rows of `chunks` chunks. All threads of the block call it.
template <int rows, int chunks, int threads>
__device__ inline void copy_tile(unsigned stage, const __nv_bfloat16* matrix, int ld, int row0, int column0,
                                 int row_count, int column_count) {
    constexpr int step = threads / chunks;  // rows that the block copies at the same time
    int first = threadIdx.x / chunks, chunk = threadIdx.x % chunks;
    // The number of steps is a constant, so the compiler unrolls the loop, and computes the addresses before the loop over k.
#pragma unroll
    for (int j = 0; j < rows / step; ++j) {
        int row = first + j * step;
        // TODO(2): Start the copy of this chunk to its swizzled place in the stage, which has `chunks` chunks in a row. Copy only the
        // bytes of elements that the matrix has, so that the others become 0. About 4 lines.
        KIT_TODO(2, stage, matrix, ld, row0, column0, row_count, column_count, row, chunk);
    }
}

/// Loads what a warp needs for one step: its rows of A and its columns of B.
template <class S>
__device__ inline void load_fragments(unsigned stage, int step, int warp_row, int warp_column,
                                      unsigned (&rows)[kPiecesM][4], unsigned (&columns)[kPiecesN / 2][4]) {
    int lane = threadIdx.x % 32;
    // TODO(4): Load the 16 x 16 pieces of A with load_matrices, and those of B with load_transposed. Each lane passes the address of one
    // row of 8 numbers: of row lane % 16 of a piece, and of its first or second chunk (lane / 16). About 8 lines.
    KIT_TODO(4, stage, step, warp_row, warp_column, rows, columns, lane);
}

// v6: like v5, but the copies and the loads of fragments run while the tensor cores multiply.
// Mapping : a block computes S::rows x S::columns elements of C, each warp kQuarter x kQuarter of them in registers.
// Cost    : one barrier for each stage; every byte of a stage is copied once, and no access has bank conflicts.
// Requires: blockDim = S::threads; kStages * S::stage_bytes bytes of dynamic shared memory; sm_80.
// Next    : one instruction for four warps, with both factors in shared memory: wgmma, in the demo.
// [v6]
template <class S>
__global__ void __launch_bounds__(S::threads)
    product_v6_pipeline(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb,
                        float* c, int ldc) {
    extern __shared__ __align__(128) char shared[];
    unsigned stages = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int warp_row = warp / S::warps_in_a_row * kQuarter, warp_column = warp % S::warps_in_a_row * kQuarter;

    // Blocks that run at the same time compute a compact part of C, so that they find rows of A and columns of B in L2.
    int blocks_m = kit::ceil_div(sizes.m, S::rows), blocks_n = kit::ceil_div(sizes.n, S::columns);
    int first = blockIdx.x / (kGroup * blocks_n) * kGroup, in_group = blockIdx.x % (kGroup * blocks_n);
    int rows_of_group = min(kGroup, blocks_m - first);
    int row0 = (first + in_group % rows_of_group) * S::rows;
    int column0 = in_group / rows_of_group * S::columns;

    int tiles = kit::ceil_div(sizes.k, kTileDepth);
    auto copy = [&](int tile) {  // a tile past the end of k consists of zeros
        unsigned stage = stages + tile % kStages * S::stage_bytes;
        int k0 = tile * kTileDepth;
        copy_tile<S::rows, S::chunks_a, S::threads>(stage, a, lda, row0, k0, sizes.m, sizes.k);
        copy_tile<kTileDepth, S::chunks_b, S::threads>(stage + S::bytes_a, b, ldb, k0, column0, sizes.k,
                                                       sizes.n);
        commit_group();
    };

    float sums[kPiecesM][kPiecesN][4] = {};
    unsigned rows[2][kPiecesM][4],
        columns[2][kPiecesN / 2][4];  // a step computes with one set and loads the other
    for (int tile = 0; tile < kStages - 1; ++tile) copy(tile);
    wait_for_groups<kStages - 2>();
    __syncthreads();  // the first tile has arrived
    load_fragments<S>(stages, 0, warp_row, warp_column, rows[0], columns[0]);

    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            bool last = step == kSteps - 1;
            int next = last ? tile + 1 : tile, next_step = (step + 1) % kSteps;
            unsigned next_stage = stages + next % kStages * S::stage_bytes;
            // TODO(3): Load the fragments of the next step from next_stage, after its tile has arrived: in the last step, wait for it
            // first. In step 0, start the copies of tile + kStages - 1, when no warp reads their stage any longer. About 7 lines.
            KIT_TODO(3, last, next_stage, next_step, copy);

            // TODO(5): Multiply each 16 x 16 piece of A with each 16 x 8 piece of B of this step, and add to sums[i][j]. About 4 lines.
            KIT_TODO(5, sums, rows, columns);
        }
    }

    // TODO(6): Store the sums of this lane to the elements that C has: pairs of neighbours as a float2, and a single last one. The
    // comment of multiply() says which sums a lane has. About 13 lines.
    KIT_TODO(6, sums, c, ldc, row0, column0, lane);
}
// [/v6]

/// Launches v6 with blocks of this shape.
template <class S>
void launch(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb, float* c,
            int ldc) {
    constexpr int bytes = kStages * S::stage_bytes;
    CUDA_CHECK(
        cudaFuncSetAttribute(product_v6_pipeline<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int blocks = kit::ceil_div(sizes.m, S::rows) * kit::ceil_div(sizes.n, S::columns);
    product_v6_pipeline<S><<<blocks, S::threads, bytes>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

void tensor_pipeline(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb, float* c,
                     int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    using Large = Shape<128, 256>;
    using Small = Shape<64, 128>;
    if (sizes.m >= Large::rows && sizes.n >= Large::columns)
        launch<Large>(sizes, a, lda, b, ldb, c, ldc);
    else
        launch<Small>(sizes, a, lda, b, ldb, c, ldc);
}

}  // namespace matrix_product
