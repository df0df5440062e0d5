// wrong: The second and third sweep of a wide mask overwrite what the first has written.
// diagnosis: FAIL  6 x 16, width 31

#include <cstdint>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/rows.cuh"
#include "kit.cuh"

namespace convolution {

namespace {

/// Some rows of a mask, as a kernel parameter: at most 4 KB, so that it fits under older limits, too.
template <int MASK_ROWS, int WIDTH>
struct MaskRows {
    float weight[MASK_ROWS][WIDTH];
};

/// The shape of a kernel. MASK_ROWS: rows of the mask that one sweep over the image applies. OUT: neighbouring outputs of
/// a thread. STEP: rows of input that it takes at a time, so that it uses a value of the mask OUT * STEP times.
/// GROUP: rows that are loaded together. BLOCKS: per multiprocessor, which leaves 512 / BLOCKS registers per thread.
template <int WIDTH_, int MASK_ROWS_, int OUT_, int STEP_, int GROUP_, int BLOCKS_>
struct Shape {
    static constexpr int WIDTH = WIDTH_, MASK_ROWS = MASK_ROWS_, OUT = OUT_, STEP = STEP_, GROUP = GROUP_;
    static constexpr int BLOCKS = BLOCKS_;
    static constexpr int HALO = (WIDTH / 2 + 3) / 4 * 4;  ///< half of the mask in whole float4
    static constexpr int SUMS = MASK_ROWS + STEP - 1;     ///< rows of outputs that are open at a time
    static_assert(GROUP % STEP == 0, "a group is a whole number of steps");
};

/// STEP rows of the tile, from this thread's first column minus HALO on, into registers.
template <class S, int PITCH>
__device__ void read_window(const float (*tile)[PITCH], float (&window)[S::STEP][S::OUT + 2 * S::HALO]) {
#pragma unroll
    for (int s = 0; s < S::STEP; ++s) {
#pragma unroll
        for (int w = 0; w < S::OUT + 2 * S::HALO; w += 4) {
            float4 four = read4(&tile[s][threadIdx.x * S::OUT + w]);
            window[s][w] = four.x;
            window[s][w + 1] = four.y;
            window[s][w + 2] = four.z;
            window[s][w + 3] = four.w;
        }
    }
}

/// Adds what STEP rows of input give to each open row of outputs.
template <class S>
__device__ void add_products(const float (&window)[S::STEP][S::OUT + 2 * S::HALO],
                             const MaskRows<S::MASK_ROWS, S::WIDTH>& mask, float (&sum)[S::SUMS][S::OUT]) {
#pragma unroll
    for (int m = 0; m < S::MASK_ROWS; ++m) {
#pragma unroll
        for (int k = 0; k < S::WIDTH; ++k) {
#pragma unroll
            for (int s = 0; s < S::STEP; ++s) {
#pragma unroll
                for (int j = 0; j < S::OUT; ++j)
                    sum[s + S::MASK_ROWS - 1 - m][j] +=
                        mask.weight[m][k] * window[s][S::HALO - S::WIDTH / 2 + k + j];
            }
        }
    }
}

/// Makes room for the next STEP rows: the first STEP rows of sums are complete and have been written.
template <class S>
__device__ void pass_on(float (&sum)[S::SUMS][S::OUT]) {
#pragma unroll
    for (int r = 0; r < S::SUMS; ++r) {
#pragma unroll
        for (int j = 0; j < S::OUT; ++j) sum[r][j] = r + S::STEP < S::SUMS ? sum[r + S::STEP][j] : 0.0f;
    }
}

/// Writes OUT sums to row y of `out`; ADD: adds them to what is there.
template <int OUT, bool ADD, bool ALIGNED>
__device__ void write_sums(float* out, int y, int x, int columns, const float (&sum)[OUT]) {
    float* row = out + static_cast<std::size_t>(y) * columns;
#pragma unroll
    for (int j = 0; j < OUT; j += 4) {
        float4 four = {sum[j], sum[j + 1], sum[j + 2], sum[j + 3]};
        if (ADD) {
            float4 before = load4<ALIGNED>(row, x + j, columns);
            four = {four.x + before.x, four.y + before.y, four.z + before.z, four.w + before.w};
        }
        store4<ALIGNED>(row, x + j, columns, four);
    }
}

}  // namespace

template <class S, bool ADD, bool ALIGNED>
__global__ void __launch_bounds__(kStripThreads, S::BLOCKS)
    conv2d_v7_fast(const float* in, int rows, int columns, MaskRows<S::MASK_ROWS, S::WIDTH> mask,
                   int first_mask_row, int strip, float* out) {
    using Group = Rows<S::OUT, S::HALO, S::GROUP, ALIGNED>;
    __shared__ __align__(16) float tile[2][S::GROUP][Group::kPitch];
    int strip_x = blockIdx.x * Group::kColumns;
    int x = strip_x + threadIdx.x * S::OUT;
    int first = blockIdx.y * strip;
    int last = min(first + strip, rows);  // outputs first .. last - 1

    int first_in = first + first_mask_row - S::WIDTH / 2;
    int rows_in = last - first + S::MASK_ROWS - 1;

    float sum[S::SUMS][S::OUT] = {};
    Group next;
    next.load(in, rows, columns, strip_x, first_in);
    int buffer = 0;
    for (int done = 0; done < rows_in; done += S::GROUP) {
        next.store(tile[buffer]);
        __syncthreads();  // the group is complete; and all have read the other one, which the next round writes
        next.load(in, rows, columns, strip_x, first_in + done + S::GROUP);
        buffer ^= 1;
        if (x >= columns) continue;  // threads beyond the last column only help to load
#pragma unroll 1
        for (int g = 0; g < S::GROUP; g += S::STEP) {
            float window[S::STEP][S::OUT + 2 * S::HALO];
            read_window<S>(tile[buffer ^ 1] + g, window);
            add_products<S>(window, mask, sum);
            int y = first + done + g - (S::MASK_ROWS - 1);  // the output that sum[0] belongs to
#pragma unroll
            for (int s = 0; s < S::STEP; ++s) {
                if (y + s >= first && y + s < last)
                    write_sums<S::OUT, ADD, ALIGNED>(out, y + s, x, columns, sum[s]);
            }
            pass_on<S>(sum);
        }
    }
}

namespace {

template <class S, bool ADD, bool ALIGNED>
void sweep_aligned(const float* in, int rows, int columns, const MaskRows<S::MASK_ROWS, S::WIDTH>& mask,
                   int first_mask_row, float* out) {
    auto* const kernel = conv2d_v7_fast<S, ADD, ALIGNED>;
    const Strips strips = plan_strips(kernel, rows, columns, kStripThreads * S::OUT);
    kernel<<<strips.grid, kStripThreads>>>(in, rows, columns, mask, first_mask_row, strips.strip, out);
    CUDA_CHECK_LAUNCH();
}

/// One launch: rows first_mask_row and on of the mask that is `mask` with zeros around it.
template <class S, bool ADD>
void sweep(const float* in, int rows, int columns, const float* mask, int width, int first_mask_row,
           float* out) {
    MaskRows<S::MASK_ROWS, S::WIDTH> padded = {};
    const int border = S::WIDTH / 2 - width / 2;
    for (int m = 0; m < S::MASK_ROWS; ++m) {
        const int p = first_mask_row + m - border;
        if (p < 0 || p >= width) continue;
        for (int q = 0; q < width; ++q) padded.weight[m][border + q] = mask[p * width + q];
    }
    const auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out);
    if (columns % 4 == 0 && address % 16 == 0) {
        sweep_aligned<S, ADD, true>(in, rows, columns, padded, first_mask_row, out);
    } else {
        sweep_aligned<S, ADD, false>(in, rows, columns, padded, first_mask_row, out);
    }
}

}  // namespace

cudaError_t conv2d_fast(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    if (rows == 0 || columns == 0) return cudaSuccess;
    if (width <= 5) {
        sweep<Shape<5, 5, 4, 4, 4, 6>, false>(in, rows, columns, mask, width, 0, out);
    } else if (width <= 9) {
        sweep<Shape<9, 9, 8, 2, 4, 3>, false>(in, rows, columns, mask, width, 0, out);
    } else if (width <= 15) {
        sweep<Shape<15, 15, 4, 2, 2, 3>, false>(in, rows, columns, mask, width, 0, out);
    } else {  // 31 rows of sums do not fit into the registers: 11 + 10 + 10
        sweep<Shape<31, 11, 8, 1, 2, 3>, false>(in, rows, columns, mask, width, 0, out);
        sweep<Shape<31, 10, 8, 1, 2, 3>, false>(in, rows, columns, mask, width, 11, out);
        sweep<Shape<31, 10, 8, 1, 2, 3>, false>(in, rows, columns, mask, width, 21, out);
    }
    return cudaSuccess;
}

}  // namespace convolution
