// 05_convolution/conv2d_separable: a separable mask: rows, then columns.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv2d_separable.cu
//        ../../tests/05_convolution/conv2d_separable_test.cu -o conv2d_separable
// Run:   ./conv2d_separable
//
//   v8  conv2d_v8_rows, conv2d_v8_columns: two launches with a tile each; the results of the rows go through memory
//   v9  conv2d_v9_fused: one launch; the results of the rows stay in registers

#include <cstdint>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/rows.cuh"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_across[kMaxWidth2d];
__constant__ float constant_down[kMaxWidth2d];

}  // namespace

// v8: two convolutions in one dimension each: all rows into `scratch`, then all columns of `scratch`.
// Mapping : one thread per output, tiles of kTileX * kTileY with a halo on two sides.
// Cost    : 2 * width multiply-adds per output instead of width * width; each value is read and written twice.
// Requires: mask[p][q] = down[p] * across[q]; width <= kMaxWidth2d.
// Next    : the results of the rows take a detour through global memory; see v9.
// [rows]
__global__ void conv2d_v8_rows(const float* in, int rows, int columns, int width, float* scratch) {
    __shared__ float tile[kTileY][kTileX + kMaxWidth2d - 1];
    int y = blockIdx.y * kTileY + threadIdx.y;
    int x = blockIdx.x * kTileX + threadIdx.x;
    int first = blockIdx.x * kTileX - width / 2;  // the column that tile[...][0] holds

    // TODO(1): Fill this thread's row of the tile: elements threadIdx.x, threadIdx.x + kTileX, ... below
    // kTileX + width - 1. Use 0 for a ghost, even if the whole row is ghosts. Wait, add up constant_across times the tile,
    // and write the result, if there is an output at (y, x). About 9 lines.
    KIT_TODO(1, in, rows, columns, width, scratch, tile, x, y, first);
}
// [/rows]

// [columns]
__global__ void conv2d_v8_columns(const float* scratch, int rows, int columns, int width, float* out) {
    __shared__ float tile[kTileY + kMaxWidth2d - 1][kTileX];
    int y = blockIdx.y * kTileY + threadIdx.y;
    int x = blockIdx.x * kTileX + threadIdx.x;
    int first = blockIdx.y * kTileY - width / 2;  // the row that tile[0] holds

    // TODO(2): Do the same for the columns: let each thread fill every kTileY-th element of its column of the tile, starting
    // at threadIdx.y, and add up constant_down times the tile. About 9 lines.
    KIT_TODO(2, scratch, rows, columns, width, out, tile, x, y, first);
}
// [/columns]

cudaError_t conv2d_separable(const float* in, int rows, int columns, const float* down, const float* across,
                             int width, float* scratch, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_down, down, width * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(constant_across, across, width * sizeof(float)));
    if (rows == 0 || columns == 0) return cudaSuccess;
    dim3 grid(kit::ceil_div(columns, kTileX), kit::ceil_div(rows, kTileY)), block(kTileX, kTileY);
    conv2d_v8_rows<<<grid, block>>>(in, rows, columns, width, scratch);
    CUDA_CHECK_LAUNCH();
    // Launches in one stream run one after another, so the second reads what the first wrote.
    conv2d_v8_columns<<<grid, block>>>(scratch, rows, columns, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}

namespace {

/// Both factors of the mask, as a kernel parameter.
template <int WIDTH>
struct Factors {
    float down[WIDTH], across[WIDTH];
};

/// As in conv2d_fast: four outputs per thread, two rows of input at a time, loaded in groups of four.
template <int WIDTH_>
struct Shape {
    static constexpr int WIDTH = WIDTH_, OUT = 4, STEP = 2, GROUP = 4;
    static constexpr int HALO = (WIDTH / 2 + 3) / 4 * 4;  ///< half of the mask in whole float4
    static constexpr int SUMS = WIDTH + STEP - 1;         ///< rows of outputs that are open at the same time
};

/// Convolves one row of the tile with `across`, for four outputs.
template <class S>
__device__ void convolve_row(const float* row, const Factors<S::WIDTH>& mask, float (&result)[S::OUT]) {
    constexpr int kWindow = S::OUT + 2 * S::HALO;
    float window[kWindow];
#pragma unroll
    for (int w = 0; w < kWindow; w += 4) {
        float4 four = read4(row + threadIdx.x * S::OUT + w);
        window[w] = four.x;
        window[w + 1] = four.y;
        window[w + 2] = four.z;
        window[w + 3] = four.w;
    }
#pragma unroll
    for (int j = 0; j < S::OUT; ++j) result[j] = 0;
#pragma unroll
    for (int k = 0; k < S::WIDTH; ++k) {
#pragma unroll
        for (int j = 0; j < S::OUT; ++j) result[j] += mask.across[k] * window[S::HALO - S::WIDTH / 2 + k + j];
    }
}

}  // namespace

// v9: like v8, but in one launch: a thread adds its row of results immediately to all WIDTH rows of sums that need it.
// Mapping : as v7: blocks walk down strips of 512 columns, four columns per thread.
// Cost    : 1 global read and 1 write per output; 2 * WIDTH multiply-adds; (4 + 2 * HALO) / 4 shared reads.
// Requires: WIDTH known to the compiler; WIDTH + 1 rows of four sums in registers.
// Next    : nothing: up to a width of 15, the memory is the limit; the lecture shows why width 31 is slower.
// [kernel]
template <class S, bool ALIGNED>
__global__ void __launch_bounds__(kStripThreads, S::WIDTH > 15 ? 2 : 4)
    conv2d_v9_fused(const float* in, int rows, int columns, Factors<S::WIDTH> mask, int strip, float* out) {
    using Group = Rows<S::OUT, S::HALO, S::GROUP, ALIGNED>;
    __shared__ __align__(16) float tile[2][S::GROUP][Group::kPitch];
    int strip_x = blockIdx.x * Group::kColumns;
    int x = strip_x + threadIdx.x * S::OUT;
    int first = blockIdx.y * strip;
    int last = min(first + strip, rows);  // outputs first .. last - 1
    constexpr int kAbove = S::WIDTH / 2;  // rows of input above the first output

    float sum[S::SUMS][S::OUT] = {};
    Group next;
    next.load(in, rows, columns, strip_x, first - kAbove);
    int buffer = 0;
    for (int group = first - kAbove; group < last + kAbove; group += S::GROUP) {
        next.store(tile[buffer]);
        __syncthreads();  // the group is complete; the other group, which is written next, has been read
        next.load(in, rows, columns, strip_x, group + S::GROUP);
        buffer ^= 1;
        if (x >= columns) continue;  // threads past the last column only help to load
#pragma unroll 1
        for (int g = 0; g < S::GROUP; g += S::STEP) {
            int open = group + g - kAbove;  // the output that sum[0] belongs to
            float across[S::STEP][S::OUT];
#pragma unroll
            for (int s = 0; s < S::STEP; ++s) {
                convolve_row<S>(tile[buffer ^ 1][g + s], mask, across[s]);
            }

            // TODO(3): Multiply row s of `across` by mask.down[m] and add it to its row of outputs, sum[s + WIDTH - 1 - m].
            // sum[0] then belongs to output row `open`. Write the complete rows that are this block's, and make room, as
            // in conv2d_fast. About 21 lines with unrolled loops; use store4.
            KIT_TODO(3, mask, across, sum, open, x, last, out);
        }
    }
}
// [/kernel]

namespace {

template <int WIDTH, bool ALIGNED>
void launch_fused_aligned(const float* in, int rows, int columns, const Factors<WIDTH>& mask, float* out) {
    auto* const kernel = conv2d_v9_fused<Shape<WIDTH>, ALIGNED>;
    Strips strips = plan_strips(kernel, rows, columns, kStripThreads * Shape<WIDTH>::OUT);
    kernel<<<strips.grid, kStripThreads>>>(in, rows, columns, mask, strips.strip, out);
    CUDA_CHECK_LAUNCH();
}

template <int WIDTH>
void launch_fused(const float* in, int rows, int columns, const float* down, const float* across, int width,
                  float* out) {
    Factors<WIDTH> padded = {};
    for (int k = 0; k < width; ++k) {
        padded.down[WIDTH / 2 - width / 2 + k] = down[k];
        padded.across[WIDTH / 2 - width / 2 + k] = across[k];
    }
    auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out);
    auto* const launch = columns % 4 == 0 && address % 16 == 0 ? launch_fused_aligned<WIDTH, true>
                                                               : launch_fused_aligned<WIDTH, false>;
    launch(in, rows, columns, padded, out);
}

}  // namespace

cudaError_t conv2d_separable_fused(const float* in, int rows, int columns, const float* down,
                                   const float* across, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    if (rows == 0 || columns == 0) return cudaSuccess;
    auto* const launch = width <= 5    ? launch_fused<5>
                         : width <= 9  ? launch_fused<9>
                         : width <= 15 ? launch_fused<15>
                                       : launch_fused<31>;
    launch(in, rows, columns, down, across, width, out);
    return cudaSuccess;
}

}  // namespace convolution
