// 05_convolution/conv2d_fast: partial sums in registers, windows for wide masks.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv2d_fast.cu
//        ../../tests/05_convolution/conv2d_fast_test.cu -o conv2d_fast
// Run:   ./conv2d_fast
//
//   v7  conv2d_v7_fast: blocks walk down strips, and read a value from shared memory once, whatever the mask's height
//       conv2d_v7_wide: for wide masks; a tile as in v6, and windows in registers as in v4

#include <cstdint>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/rows.cuh"
#include "kit.cuh"

namespace convolution {

namespace {

/// A mask as a kernel parameter: at most 4 KB, so that it also fits under older limits. PITCH: elements from row to row. If it
/// is even, one instruction loads two weights, even if the row is a variable.
template <int WIDTH, int PITCH>
struct alignas(8) Mask {
    float weight[WIDTH][PITCH];
};

/// The shape of strips. OUT: neighbouring outputs of a thread. STEP: rows of input that it takes at a time, so that it
/// uses a value of the mask OUT * STEP times. GROUP: rows that are loaded together. BLOCKS: blocks per multiprocessor,
/// which leaves 512 / BLOCKS registers per thread.
template <int WIDTH_, int OUT_, int STEP_, int GROUP_, int BLOCKS_>
struct Shape {
    static constexpr int WIDTH = WIDTH_, PITCH = WIDTH_, OUT = OUT_, STEP = STEP_, GROUP = GROUP_;
    static constexpr int BLOCKS = BLOCKS_;
    static constexpr int HALO = (WIDTH / 2 + 3) / 4 * 4;  ///< half of the mask in whole float4
    static constexpr int SUMS = WIDTH + STEP - 1;         ///< rows of outputs that are open at the same time
    static_assert(GROUP % STEP == 0, "a group is a whole number of steps");
};

/// Puts four neighbouring values into registers `w` to `w + 3`.
template <int SIZE>
__device__ void put4(float (&window)[SIZE], int w, float4 four) {
    window[w] = four.x;
    window[w + 1] = four.y;
    window[w + 2] = four.z;
    window[w + 3] = four.w;
}

/// Reads STEP rows of the tile into registers, starting HALO elements before this thread's first column.
template <class S, int PITCH>
__device__ void read_window(const float (*tile)[PITCH], float (&window)[S::STEP][S::OUT + 2 * S::HALO]) {
#pragma unroll
    for (int s = 0; s < S::STEP; ++s) {
#pragma unroll
        for (int w = 0; w < S::OUT + 2 * S::HALO; w += 4)
            put4(window[s], w, read4(&tile[s][threadIdx.x * S::OUT + w]));
    }
}

/// Adds the products of STEP rows of input to all open rows of outputs.
// [products]
template <class S>
__device__ void add_products(const float (&window)[S::STEP][S::OUT + 2 * S::HALO],
                             const Mask<S::WIDTH, S::PITCH>& mask, float (&sum)[S::SUMS][S::OUT]) {
    // TODO(1): sum[0] is the row of outputs that has been open for the longest time: row 0 of the window is the last row that it
    // needs. Output j is over window element HALO + j. Write four unrolled loops with the two over the mask outermost, so that
    // each value of the mask is used STEP * OUT times in a row. About 13 lines.
    KIT_TODO(1, window, mask, sum);
}
// [/products]

/// Makes room for the next STEP rows: the first STEP rows of sums are complete and have been written.
// [pass_on]
template <class S>
__device__ void pass_on(float (&sum)[S::SUMS][S::OUT]) {
    // TODO(2): Make sum[0] the oldest row of outputs that is still open, and prepare all SUMS rows for use. Unroll the
    // loops: they then cost no instructions, because the compiler renames the registers. About 5 lines.
    KIT_TODO(2, sum);
}
// [/pass_on]

/// Writes OUT sums to row y of `out`.
template <int OUT, bool ALIGNED>
__device__ void write_sums(float* out, int y, int x, int columns, const float (&sum)[OUT]) {
    float* row = out + static_cast<std::size_t>(y) * columns;
#pragma unroll
    for (int j = 0; j < OUT; j += 4)
        store4<ALIGNED>(row, x + j, columns, {sum[j], sum[j + 1], sum[j + 2], sum[j + 3]});
}

}  // namespace

// v7: a block walks down a strip. Each thread has OUT columns, and holds SUMS rows of sums for them in registers.
// Mapping : strips of 128 * OUT columns; their number and height are chosen so that they fill the GPU once.
// Cost    : 1 global and (OUT + 2 * HALO) / OUT shared reads per output; 1 barrier per GROUP rows.
// Requires: WIDTH, OUT, STEP known to the compiler: the sums are registers only if all indices are constants.
// Next    : wide masks have more sums than registers; see conv2d_v7_wide.
// [kernel]
template <class S, bool ALIGNED>
__global__ void __launch_bounds__(kStripThreads, S::BLOCKS)
    conv2d_v7_fast(const float* in, int rows, int columns, Mask<S::WIDTH, S::PITCH> mask, int strip,
                   float* out) {
    using Group = Rows<S::OUT, S::HALO, S::GROUP, ALIGNED>;
    __shared__ __align__(16) float tile[2][S::GROUP][Group::kPitch];
    int strip_x = blockIdx.x * Group::kColumns;
    int x = strip_x + threadIdx.x * S::OUT;
    int first = blockIdx.y * strip;
    int last = min(first + strip, rows);  // outputs first .. last - 1

    // TODO(3): Compute first_in, the first input row that output `first` needs, and rows_in, the number of input rows that this
    // block must take until output last - 1 is complete. Mask row WIDTH / 2 is over the output's own row. 2 lines.
    int first_in = 0, rows_in = 0;
    KIT_TODO(3, last);

    float sum[S::SUMS][S::OUT] = {};
    Group next;
    next.load(in, rows, columns, strip_x, first_in);
    int buffer = 0;
    for (int done = 0; done < rows_in; done += S::GROUP) {
        next.store(tile[buffer]);
        __syncthreads();  // the group is complete; the other group, which is written next, has been read
        next.load(in, rows, columns, strip_x, first_in + done + S::GROUP);
        buffer ^= 1;
        if (x >= columns) continue;  // threads past the last column only help to load
#pragma unroll 1
        for (int g = 0; g < S::GROUP; g += S::STEP) {
            // TODO(5): Perform one step for rows done + g to done + g + STEP - 1 of the strip's input, rows g, g + 1, ... of
            // tile[buffer ^ 1]. Add their products to the sums, write the outputs that are complete now if they are this block's,
            // and make room. About 10 lines; use read_window, add_products, write_sums and pass_on.
            KIT_TODO(5, tile, mask, sum, first, last, out);
        }
    }
}
// [/kernel]

namespace {

/// Returns `mask`, which is width * width, with zeros around it.
template <class S>
Mask<S::WIDTH, S::PITCH> pad(const float* mask, int width) {
    Mask<S::WIDTH, S::PITCH> padded = {};
    int border = S::WIDTH / 2 - width / 2;
    for (int p = 0; p < width; ++p)
        for (int q = 0; q < width; ++q) padded.weight[border + p][border + q] = mask[p * width + q];
    return padded;
}

/// Returns whether all rows begin at multiples of 16 bytes and are whole float4.
bool is_aligned(const float* in, int columns, const float* out) {
    auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out);
    return columns % 4 == 0 && address % 16 == 0;
}

template <class S>
void launch_fast(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    auto* const kernel = is_aligned(in, columns, out) ? conv2d_v7_fast<S, true> : conv2d_v7_fast<S, false>;
    Strips strips = plan_strips(kernel, rows, columns, kStripThreads * S::OUT);
    kernel<<<strips.grid, kStripThreads>>>(in, rows, columns, pad<S>(mask, width), strips.strip, out);
    CUDA_CHECK_LAUNCH();
}

/// The shape of tiles. ACROSS * DOWN threads have OUT neighbouring outputs in each of ROWS rows, so that each thread uses a
/// value of the mask OUT * ROWS times. UNROLL: rows of the mask per round of their loop. BLOCKS: as in Shape.
template <int WIDTH_, int UNROLL_, int BLOCKS_>
struct WideShape {
    static constexpr int WIDTH = WIDTH_, PITCH = (WIDTH + 1) / 2 * 2, UNROLL = UNROLL_, BLOCKS = BLOCKS_;
    static constexpr int OUT = 16, ROWS = 2, ACROSS = 8, DOWN = 16, THREADS = ACROSS * DOWN;
    static constexpr int HALO = (WIDTH / 2 + 3) / 4 * 4;
    static constexpr int COLUMNS = ACROSS * OUT, HEIGHT = DOWN * ROWS;  ///< outputs of a block
    static constexpr int FOURS = (COLUMNS + 2 * HALO) / 4;              ///< float4 in a row of the tile
    static constexpr int TALL = HEIGHT + WIDTH - 1;                     ///< rows of the tile

    /// Returns the place of float4 number `four` in a row: one place is unused after every OUT / 4 of them.
    __host__ __device__ static constexpr int place(int four) { return four + four / (OUT / 4); }
    static constexpr int LINE = place(FOURS - 1) + 1;  ///< places in a row of the tile

    static_assert(ACROSS % 8 == 0 && OUT / 4 % 2 == 0,
                  "eight threads side by side read from different banks");
    static_assert(LINE * TALL * sizeof(float4) <= 48 * 1024, "every GPU lets a block have so much, unasked");
};

/// Fills a tile whose first element is element (top, left) of the image. INSIDE: the whole tile is in the image.
template <class S, bool INSIDE, bool ALIGNED>
__device__ void fill_tile(const float* in, int rows, int columns, int top, int left,
                          float4 (*tile)[S::LINE]) {
    constexpr int loads = (S::FOURS * S::TALL + S::THREADS - 1) / S::THREADS;
    int row = threadIdx.x / S::FOURS, four = threadIdx.x % S::FOURS;
#pragma unroll(INSIDE ? loads : 1)
    for (int i = 0; i < loads; ++i) {
        if (i + 1 < loads || row < S::TALL) {
            int y = top + row, x = left + four * 4;
            const float* from = in + static_cast<std::size_t>(y) * columns;
            float4 values = {0, 0, 0, 0};
            if (INSIDE) {
                values = read4(from + x);
            } else if (y >= 0 && y < rows) {
                values = load4<ALIGNED>(from, x, columns);
            }
            tile[row][S::place(four)] = values;
        }
        row += S::THREADS / S::FOURS, four += S::THREADS % S::FOURS;
        if (four >= S::FOURS) four -= S::FOURS, ++row;
    }
}

}  // namespace

// v7, wide masks: a tile with its halo as in v6; for each of its rows, a thread holds a window in registers as in v4.
// Mapping : 8 x 16 threads, tiles of 128 x 32 outputs; a thread has 16 neighbouring outputs in each of 2 rows.
// Cost    : 1.6 global reads per output for 15 x 15, 2.4 for 31 x 31; 1 barrier; 32 sums in registers for any mask.
// Requires: columns of mask and window known to the compiler; the row of the mask is a variable, so the code is short.
// Next    : fewer multiplications; see v8 in conv2d_separable.cu.
// [wide]
template <class S, bool ALIGNED>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    conv2d_v7_wide(const float* in, int rows, int columns,
                   const __grid_constant__ Mask<S::WIDTH, S::PITCH> mask, float* out) {
    __shared__ float4 tile[S::TALL][S::LINE];
    int tiles = kit::ceil_div(columns, S::COLUMNS);  // next to each other
    int first_y = blockIdx.x / tiles * S::HEIGHT, first_x = blockIdx.x % tiles * S::COLUMNS;
    int top = first_y - S::WIDTH / 2, left = first_x - S::HALO;
    if (ALIGNED && top >= 0 && top + S::TALL <= rows && left >= 0 && left + S::FOURS * 4 <= columns) {
        fill_tile<S, true, true>(in, rows, columns, top, left, tile);
    } else {
        fill_tile<S, false, ALIGNED>(in, rows, columns, top, left, tile);
    }
    __syncthreads();  // this thread reads elements that other threads loaded

    int across = threadIdx.x % S::ACROSS, down = threadIdx.x / S::ACROSS * S::ROWS;
    int x = first_x + across * S::OUT, y = first_y + down;
    if (x >= columns || y >= rows) return;
    float sum[S::ROWS][S::OUT] = {};
    // TODO(4): Compute the sums of this thread. For each row of the mask and each of the ROWS rows of outputs, read a window of
    // OUT + 2 * HALO elements into registers, starting at tile[...][across * (OUT / 4 + 1)]; float4 number i is S::place(i)
    // places further. Put #pragma unroll(S::UNROLL) on the loop over the mask's rows, unroll all others. About 18 lines; put4.
    KIT_TODO(4, mask, tile, sum, across, down, +S::UNROLL);
#pragma unroll
    for (int r = 0; r < S::ROWS; ++r) {
        if (y + r < rows) write_sums<S::OUT, ALIGNED>(out, y + r, x, columns, sum[r]);
    }
}
// [/wide]

namespace {

template <class S>
void launch_wide(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    auto* const kernel = is_aligned(in, columns, out) ? conv2d_v7_wide<S, true> : conv2d_v7_wide<S, false>;
    int blocks = kit::ceil_div(columns, S::COLUMNS) * kit::ceil_div(rows, S::HEIGHT);
    kernel<<<blocks, S::THREADS>>>(in, rows, columns, pad<S>(mask, width), out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

cudaError_t conv2d_fast(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    if (rows == 0 || columns == 0) return cudaSuccess;
    if (width <= 5) {
        launch_fast<Shape<5, 4, 4, 4, 6>>(in, rows, columns, mask, width, out);
    } else if (width <= 9) {
        launch_fast<Shape<9, 8, 2, 4, 3>>(in, rows, columns, mask, width, out);
    } else if (width <= 15) {  // measured for 9 and 15: strips are faster for 9, tiles for 15
        launch_wide<WideShape<15, 3, 5>>(in, rows, columns, mask, width, out);
    } else {
        launch_wide<WideShape<31, 1, 4>>(in, rows, columns, mask, width, out);
    }
    return cudaSuccess;
}

}  // namespace convolution
