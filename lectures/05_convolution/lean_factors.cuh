// v11 of the demo of 05_convolution: v9, for a mask that is a product, with fewer instructions that are not multiply-adds.
//
// For images whose rows begin at multiples of 16 bytes and are whole float4; masks of an odd width up to 31.
#pragma once

#include "lean.cuh"

namespace lean {

/// The factors `down` and `across` of a mask, with zeros around.
template <int WIDTH_>
struct alignas(8) Factors {
    static constexpr int WIDTH = WIDTH_;
    float down[WIDTH + 1], across[WIDTH + 1];

    Factors(const float* down_weights, const float* across_weights, int width) : down{}, across{} {
        const int border = (WIDTH - width) / 2;
        for (int k = 0; k < width; ++k)
            down[border + k] = down_weights[k], across[border + k] = across_weights[k];
    }
};

// v11: as v9, but a thread that convolves rows has 16 neighbouring outputs, and one that adds up columns has 2. The rows' results
//      change hands in shared memory.
// Mapping : strips of 256 columns, 8 rows at a time: rows by 8 x 16 threads, columns by 128.
// Cost    : 13 reads and writes of 16 bytes for 16 outputs of a row instead of 36; 64 sums in registers instead of 128.
// Requires: *see the top of the file*.
// Next    : nothing: multiply-adds and memory take nearly the same time here, and they must overlap.
template <class S>
__global__ void __launch_bounds__(kThreads, 4)
    conv2d_v11_factors(const float* in, int rows, int columns, const __grid_constant__ Factors<S::WIDTH> mask,
                       int share, float* out) {
    constexpr int out_of_row = 16, halo = 4 * S::SIDE, sums = S::WIDTH + S::GROUP - 1;
    constexpr int line = S::place(S::COLUMNS / 4 - 1) + 1,
                  size = S::GROUP * line;  // the sizes of the results
    static_assert(S::GROUP * S::COLUMNS == kThreads * out_of_row && S::COLUMNS == 2 * kThreads, "");
    extern __shared__ float4 groups[];
    float4* const results = groups + 2 * S::SIZE;
    const int t = threadIdx.x, row = t / (S::COLUMNS / out_of_row), across = t % (S::COLUMNS / out_of_row);
    const int row_place = S::place(across * out_of_row / 4);
    const int end =
        min(static_cast<int>(blockIdx.x + 1) * share, (columns + S::COLUMNS - 1) / S::COLUMNS * rows);
    for (int at = blockIdx.x * share; at < end;) {
        const Piece piece(at, end, rows, S::COLUMNS);
        at += piece.last - piece.first;
        Feeder<S> feeder(in, columns, piece.x, piece.first - S::WIDTH / 2);
        __syncthreads();  // all threads have read the groups and the results of the previous piece
        feeder.clear_ghosts(groups);
        feeder.clear_ghosts(groups + S::SIZE);
        feeder.next(rows, columns, groups);

        float sum[sums][2] = {};
        const int x = piece.x + 2 * t, rows_in = piece.last - piece.first + S::WIDTH - 1;
        int y = piece.first - (S::WIDTH - 1);  // the output that sum[0] belongs to
        float* to = out + static_cast<long long>(y) * columns + x;
        const int count = (rows_in + S::GROUP - 1) / S::GROUP;
        for (int group = 0; group <= count; ++group) {  // rows of this group, columns of the previous group
            const int buffer = group & 1;
            wait_for_copies();
            __syncthreads();  // this group and the results of the previous one are complete, and the other buffers were read
            if (group + 1 < count) feeder.next(rows, columns, groups + (1 - buffer) * S::SIZE);
            if (group < count) {
                const float4* from = groups + buffer * S::SIZE + row * S::LINE + row_place;
                float window[out_of_row + 2 * halo], result[out_of_row];
#pragma unroll
                for (int w = 0; w < out_of_row + 2 * halo; w += 4) put4(&window[w], from[S::place(w / 4)]);
#pragma unroll
                for (int k = 0; k < S::WIDTH; ++k) {
#pragma unroll
                    for (int j = 0; j < out_of_row; ++j) {
                        const float product = mask.across[k] * window[halo - S::WIDTH / 2 + k + j];
                        result[j] = k == 0 ? product : result[j] + product;
                    }
                }
#pragma unroll
                for (int j = 0; j < out_of_row; j += 4)
                    results[buffer * size + row * line + row_place + j / 4] = {result[j], result[j + 1],
                                                                               result[j + 2], result[j + 3]};
            }
            if (group == 0) continue;
            const auto* from =
                reinterpret_cast<const float2*>(results + (1 - buffer) * size + S::place(t / 2));
            from += t % 2;
            float2 value[S::GROUP];
#pragma unroll
            for (int s = 0; s < S::GROUP; ++s) value[s] = from[2 * line * s];
                // From the last row of the mask to the first: the first sums to change are those that move up first.
#pragma unroll
            for (int m = S::WIDTH - 1; m >= 0; --m) {
#pragma unroll
                for (int s = 0; s < S::GROUP; ++s) {
                    sum[s + S::WIDTH - 1 - m][0] += mask.down[m] * value[s].x;
                    sum[s + S::WIDTH - 1 - m][1] += mask.down[m] * value[s].y;
                }
            }
            if (x < columns && y >= piece.first && y + S::GROUP <= piece.last) {  // nearly always
                float* line_out = to;
#pragma unroll
                for (int s = 0; s < S::GROUP; ++s) {
                    *reinterpret_cast<float2*>(line_out) = {sum[s][0], sum[s][1]};
                    line_out += columns;
                }
            } else if (x < columns) {
#pragma unroll
                for (int s = 0; s < S::GROUP; ++s) {
                    if (y + s >= piece.first && y + s < piece.last)
                        *reinterpret_cast<float2*>(to + static_cast<long long>(s) * columns) = {sum[s][0],
                                                                                                sum[s][1]};
                }
            }
            to += static_cast<long long>(S::GROUP) * columns;
            y += S::GROUP;
#pragma unroll
            for (int r = 0; r < sums; ++r) {
                sum[r][0] = r + S::GROUP < sums ? sum[r + S::GROUP][0] : 0.0f;
                sum[r][1] = r + S::GROUP < sums ? sum[r + S::GROUP][1] : 0.0f;
            }
        }
    }
}

inline void conv2d_separable(const float* in, int rows, int columns, const float* down, const float* across,
                             int width, float* out) {
    if (rows == 0 || columns == 0) return;
    using S = Strip<31, 2 * kThreads, 8, 4>;
    constexpr int line = S::place(S::COLUMNS / 4 - 1) + 1;
    launch<S>(conv2d_v11_factors<S>, 2 * (S::SIZE + S::GROUP * line) * static_cast<int>(sizeof(float4)), in,
              rows, columns, Factors<31>(down, across, width), out);
}

}  // namespace lean
