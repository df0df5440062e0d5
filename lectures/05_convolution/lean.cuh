// v10 of the demo of 05_convolution: v7 with fewer instructions that are not multiply-adds. v11 uses its strips (lean_factors.cuh).
//
// For images whose rows begin at multiples of 16 bytes and are whole float4; masks of an odd width up to 15.
#pragma once

#include <algorithm>

#include "kit.cuh"

namespace lean {

constexpr int kThreads = 128;

#if defined(KIT_CPU) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
#define KIT_LEAN_COPIES_AT_ONCE  // the executor, and GPUs before sm_80
#endif

/// Starts a copy of 16 bytes from global to shared memory that uses no register.
__device__ inline void start_copy(float4* to, const float* from) {
#ifdef KIT_LEAN_COPIES_AT_ONCE
    *to = *reinterpret_cast<const float4*>(from);
#else
    const auto address = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#endif
}

/// Waits for all copies that this thread has started. Other threads see them after a barrier.
__device__ inline void wait_for_copies() {
#ifndef KIT_LEAN_COPIES_AT_ONCE
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

__device__ inline void put4(float* registers, float4 four) {
    registers[0] = four.x, registers[1] = four.y, registers[2] = four.z, registers[3] = four.w;
}

/// A mask with zeros around. PITCH is even: two weights come with one instruction.
template <int WIDTH_>
struct alignas(8) Weights {
    static constexpr int WIDTH = WIDTH_, PITCH = WIDTH + 1;
    float weight[WIDTH][PITCH];

    Weights(const float* mask, int width) : weight{} {
        const int border = (WIDTH - width) / 2;
        for (int p = 0; p < width; ++p)
            for (int q = 0; q < width; ++q) weight[border + p][border + q] = mask[p * width + q];
    }
};

// ---- strips: rows arrive in groups, and pointers are incremented ---------------------------------------------------

/// A strip of COLUMNS columns, of which GROUP rows with their halos are in shared memory at a time.
/// SPREAD: one place is unused after this many float4, to avoid bank conflicts; 0: none is unused.
template <int WIDTH_, int COLUMNS_, int GROUP_, int SPREAD_>
struct Strip {
    static constexpr int WIDTH = WIDTH_, COLUMNS = COLUMNS_, GROUP = GROUP_, SPREAD = SPREAD_;
    static constexpr int SIDE = (WIDTH / 2 + 3) / 4;      ///< float4 of halo on one side
    static constexpr int FOURS = COLUMNS / 4 + 2 * SIDE;  ///< float4 in a row
    static constexpr int SIDES = 2 * SIDE * GROUP;        ///< float4 in all halos of a group
    static constexpr int BESIDE = COLUMNS / 4,
                         PER = kThreads / BESIDE;  ///< threads along a row, rows at a time
    __host__ __device__ static constexpr int place(int four) {
        return SPREAD == 0 ? four : four + four / (SPREAD == 0 ? 1 : SPREAD);
    }
    static constexpr int LINE = place(FOURS - 1) + 1, SIZE = GROUP * LINE;  ///< float4 of a row, of a group
    static_assert(kThreads % BESIDE == 0 && GROUP % PER == 0, "every thread has as many float4");
    static_assert(SIDES <= kThreads, "one copy per thread brings the halos");
};

/// Loads one group after another. A thread's copies have the same place in every group, so indices are computed only once.
template <class S>
struct Feeder {
    const float *main,
        *side;  ///< the sources that this thread copies next: float4 of a row, and one of a halo
    int main_place, side_place;  ///< their destinations in the group
    bool has_main, has_side;     ///< whether these columns exist
    int main_row, side_row, y;   ///< rows in the group; y is the group's first row in the image

    __device__ Feeder(const float* in, int columns, int first_x, int first_y) : y(first_y) {
        const int t = threadIdx.x, four = t % S::BESIDE, s = t % (2 * S::SIDE);
        const int side_four = s < S::SIDE ? s : S::FOURS - 2 * S::SIDE + s;
        const int x = first_x + 4 * four, side_x = first_x + 4 * (side_four - S::SIDE);
        main_row = t / S::BESIDE, side_row = t / (2 * S::SIDE);
        has_main = x < columns, has_side = t < S::SIDES && side_x >= 0 && side_x < columns;
        main_place = main_row * S::LINE + S::place(S::SIDE + four);
        side_place = side_row * S::LINE + S::place(side_four);
        main = in + static_cast<long long>(y + main_row) * columns + x;
        side = in + static_cast<long long>(y + side_row) * columns + side_x;
    }

    __device__ void next(int rows, int columns, float4* group) {
        const float* from = main;
        if (y >= 0 && y + S::GROUP <= rows) {  // nearly always
#pragma unroll
            for (int i = 0; i < S::GROUP; i += S::PER) {
                if (has_main) start_copy(group + main_place + i * S::LINE, from);
                from += S::PER * columns;
            }
            if (has_side) start_copy(group + side_place, side);
        } else {
            const auto exists = [&](int row) { return y + row >= 0 && y + row < rows; };
#pragma unroll 1
            for (int i = 0; i < S::GROUP; i += S::PER) {
                float4 four = {0, 0, 0, 0};
                if (has_main && exists(main_row + i)) four = *reinterpret_cast<const float4*>(from);
                group[main_place + i * S::LINE] = four;
                from += S::PER * columns;
            }
            if (threadIdx.x < S::SIDES) {
                float4 four = {0, 0, 0, 0};
                if (has_side && exists(side_row)) four = *reinterpret_cast<const float4*>(side);
                group[side_place] = four;
            }
        }
        main += S::GROUP * columns, side += S::GROUP * columns, y += S::GROUP;
    }

    /// Clears the ghosts to the left and right of the image, which the copies above do not write.
    __device__ void clear_ghosts(float4* group) const {
        for (int i = 0; i < S::GROUP && !has_main; i += S::PER)
            group[main_place + i * S::LINE] = {0, 0, 0, 0};
        if (threadIdx.x < S::SIDES && !has_side) group[side_place] = {0, 0, 0, 0};
    }
};

/// All strips of an image are placed one after another and divided equally: `share` rows for each block that fits on the GPU.
/// So a block may get two pieces, the end of one strip and the beginning of the next.
struct Piece {
    int x, first, last;  ///< the strip's first column; rows of outputs first to last - 1

    __device__ Piece(int at, int end, int rows, int strip_columns)
        : x(at / rows * strip_columns), first(at % rows), last(min(rows, at % rows + end - at)) {}
};

/// Launches `kernel` with as many blocks as fit on the GPU at once.
template <class S, class Kernel, class Mask>
void launch(Kernel kernel, int shared_bytes, const float* in, int rows, int columns, const Mask& mask,
            float* out) {
    int device = 0, multiprocessors = 0, blocks = 0;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, shared_bytes));
    constexpr int shortest = 8;  // the rows above a piece are read again by its block
    const int all = kit::ceil_div(columns, S::COLUMNS) * rows;
    const int share = std::max(shortest, kit::ceil_div(all, blocks * multiprocessors));
    kernel<<<kit::ceil_div(all, share), kThreads, shared_bytes>>>(in, rows, columns, mask, share, out);
    CUDA_CHECK_LAUNCH();
}

// v10: strips as in v7, but rows arrive by asynchronous copies, and loops increment addresses instead of computing them.
// Mapping : a thread has 4 neighbouring columns, and takes 4 rows of input at a time.
// Cost    : as v7; 13% of the instructions are not multiply-adds, instead of 19%.
// Requires: *see the top of the file*; WIDTH known to the compiler.
// Next    : nothing: the issue slots are full, and most other instructions load weights.
constexpr int kStep = 4;  // rows of input, and neighbouring outputs of a thread

template <class S>
__global__ void __launch_bounds__(kThreads, 4)
    conv2d_v10_strips(const float* in, int rows, int columns, const __grid_constant__ Weights<S::WIDTH> mask,
                      int share, float* out) {
    constexpr int halo = 4 * S::SIDE, sums = S::WIDTH + kStep - 1;
    extern __shared__ float4 groups[];
    const int end =
        min(static_cast<int>(blockIdx.x + 1) * share, (columns + S::COLUMNS - 1) / S::COLUMNS * rows);
    for (int at = blockIdx.x * share; at < end;) {
        const Piece piece(at, end, rows, S::COLUMNS);
        at += piece.last - piece.first;
        float4 *now = groups, *later = groups + S::SIZE;
        Feeder<S> feeder(in, columns, piece.x, piece.first - S::WIDTH / 2);
        __syncthreads();  // all threads have read the groups of the previous piece
        feeder.clear_ghosts(now);
        feeder.clear_ghosts(later);
        feeder.next(rows, columns, now);

        float sum[sums][4] = {};
        const int x = piece.x + 4 * threadIdx.x, rows_in = piece.last - piece.first + S::WIDTH - 1;
        int y = piece.first - (S::WIDTH - 1);  // the output that sum[0] belongs to
        float* to = out + static_cast<long long>(y) * columns + x;
        for (int done = 0; done < rows_in; done += S::GROUP) {
            wait_for_copies();
            __syncthreads();  // the group is complete, and all threads have read the other group, which is overwritten next
            if (done + S::GROUP < rows_in) feeder.next(rows, columns, later);
            const float4* from = now + threadIdx.x;
#pragma unroll 1
            for (int g = 0; g < S::GROUP && x < columns; g += kStep) {
                float window[kStep][4 + 2 * halo];
#pragma unroll
                for (int s = 0; s < kStep; ++s) {
#pragma unroll
                    for (int f = 0; f < 1 + 2 * S::SIDE; ++f) put4(&window[s][4 * f], from[s * S::LINE + f]);
                }
#pragma unroll
                for (int m = 0; m < S::WIDTH; ++m) {
#pragma unroll
                    for (int k = 0; k < S::WIDTH; ++k) {
#pragma unroll
                        for (int s = 0; s < kStep; ++s) {
#pragma unroll
                            for (int j = 0; j < 4; ++j)
                                sum[s + S::WIDTH - 1 - m][j] +=
                                    mask.weight[m][k] * window[s][halo - S::WIDTH / 2 + k + j];
                        }
                    }
                }
#pragma unroll
                for (int s = 0; s < kStep; ++s) {
                    if (y + s >= piece.first && y + s < piece.last)
                        *reinterpret_cast<float4*>(to) = {sum[s][0], sum[s][1], sum[s][2], sum[s][3]};
                    to += columns;
                }
                y += kStep, from += kStep * S::LINE;
#pragma unroll
                for (int r = 0; r < sums; ++r) {
#pragma unroll
                    for (int j = 0; j < 4; ++j) sum[r][j] = r + kStep < sums ? sum[r + kStep][j] : 0.0f;
                }
            }
            float4* const other = now;
            now = later, later = other;
        }
    }
}

// ---- tiles ----------------------------------------------------------------------------------------------------

/// A tile of 128 x 32 outputs: 8 x 16 threads with 16 neighbouring outputs in each of 2 rows, as in v7.
template <int WIDTH_>
struct Tile {
    static constexpr int WIDTH = WIDTH_, COLUMNS = 128, HEIGHT = 32, OUT = 16, WARPS = kThreads / 32;
    static constexpr int HALO = (WIDTH / 2 + 3) / 4 * 4, WINDOW = OUT + 2 * HALO;
    static constexpr int FOURS = (COLUMNS + 2 * HALO) / 4, TALL = HEIGHT + WIDTH - 1;
    static constexpr int REST = FOURS - 32;  ///< float4 of a row that a warp leaves over
    __host__ __device__ static constexpr int place(int four) { return four + four / 4; }
    static constexpr int LINE = place(FOURS - 1) + 1;
    static_assert(REST > 0 && kThreads % REST == 0, "the rest of some rows at a time");
};

/// Loads one float4 of each row of a tile, starting at `row` in steps of `every`. Addresses are only incremented.
template <class S, int every>
__device__ void fill_column(const float* from, int columns, int row, float4* to) {
#pragma unroll
    for (int i = 0; i < (S::TALL + every - 1) / every; ++i) {
        if ((i + 1) * every <= S::TALL || row + i * every < S::TALL)
            to[i * every * S::LINE] = *reinterpret_cast<const float4*>(from);
        from += every * columns;
    }
}

// v10, wide masks: as v7's, but each warp fills whole rows, and a window that two rows of outputs need is read once.
// Mapping : as v7: 8 x 16 threads, tiles of 128 x 32 outputs.
// Cost    : 9 instead of 16 windows of 8 float4 from shared memory for each 8 rows of the mask.
// Requires: *see the top of the file*.
template <class S>
__global__ void __launch_bounds__(kThreads, 5)
    conv2d_v10_tiles(const float* in, int rows, int columns, const __grid_constant__ Weights<S::WIDTH> mask,
                     float* out) {
    __shared__ float4 tile[S::TALL][S::LINE];
    const int first_x = blockIdx.x * S::COLUMNS, first_y = blockIdx.y * S::HEIGHT;
    const int left = first_x - S::HALO, top = first_y - S::WIDTH / 2;
    if (left >= 0 && left + 4 * S::FOURS <= columns && top >= 0 && top + S::TALL <= rows) {
        const float* corner = in + static_cast<long long>(top) * columns + left;
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        fill_column<S, S::WARPS>(corner + warp * columns + 4 * lane, columns, warp,
                                 &tile[warp][S::place(lane)]);
        const int row = threadIdx.x / S::REST, four = 32 + threadIdx.x % S::REST;
        fill_column<S, kThreads / S::REST>(corner + row * columns + 4 * four, columns, row,
                                           &tile[row][S::place(four)]);
    } else {
        for (int i = threadIdx.x; i < S::TALL * S::FOURS; i += kThreads) {
            const int row = i / S::FOURS, four = i % S::FOURS, y = top + row, x = left + 4 * four;
            float4 values = {0, 0, 0, 0};
            if (y >= 0 && y < rows && x >= 0 && x < columns)
                values = *reinterpret_cast<const float4*>(in + static_cast<long long>(y) * columns + x);
            tile[row][S::place(four)] = values;
        }
    }
    __syncthreads();  // most of its windows were loaded by other threads

    const int across = threadIdx.x % 8, down = threadIdx.x / 8 * 2;
    const int x = first_x + across * S::OUT, y = first_y + down;
    if (x >= columns || y >= rows) return;
    const float4* from = &tile[down][S::place(across * S::OUT / 4)];
    float sum[2][S::OUT] = {}, window[2][S::WINDOW];
#pragma unroll
    for (int w = 0; w < S::WINDOW; w += 4) put4(&window[0][w], from[S::place(w / 4)]);
#pragma unroll 2
    for (int p = 0; p < S::WIDTH; ++p) {
        from += S::LINE;
#pragma unroll
        for (int w = 0; w < S::WINDOW; w += 4) put4(&window[1][w], from[S::place(w / 4)]);
#pragma unroll
        for (int k = 0; k < S::WIDTH; ++k) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
#pragma unroll
                for (int j = 0; j < S::OUT; ++j)
                    sum[r][j] += mask.weight[p][k] * window[r][S::HALO - S::WIDTH / 2 + k + j];
            }
        }
#pragma unroll
        for (int w = 0; w < S::WINDOW; ++w) window[0][w] = window[1][w];  // no instruction: see the lecture
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        if (y + r >= rows) break;
        float* to = out + static_cast<long long>(y + r) * columns + x;
#pragma unroll
        for (int j = 0; j < S::OUT; j += 4) {
            if (x + j < columns)
                *reinterpret_cast<float4*>(to + j) = {sum[r][j], sum[r][j + 1], sum[r][j + 2], sum[r][j + 3]};
        }
    }
}

inline void conv2d(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    if (rows == 0 || columns == 0) return;
    if (width <= 9) {
        using S = Strip<9, 4 * kThreads, 12, 0>;
        launch<S>(conv2d_v10_strips<S>, 2 * S::SIZE * static_cast<int>(sizeof(float4)), in, rows, columns,
                  Weights<9>(mask, width), out);
    } else {
        using S = Tile<15>;
        const dim3 grid(kit::ceil_div(columns, S::COLUMNS), kit::ceil_div(rows, S::HEIGHT));
        conv2d_v10_tiles<S><<<grid, kThreads>>>(in, rows, columns, Weights<15>(mask, width), out);
        CUDA_CHECK_LAUNCH();
    }
}

}  // namespace lean
