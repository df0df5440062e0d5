// 05_convolution/conv1d_fast: eight outputs per thread, from registers.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv1d_fast.cu
//        ../../tests/05_convolution/conv1d_fast_test.cu -o conv1d_fast
// Run:   ./conv1d_fast
//
//   v4  conv1d_v4_fast: like v3, but eight outputs per thread, and the memory is never idle

#include <algorithm>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/rows.cuh"
#include "kit.cuh"

namespace convolution {

namespace {

constexpr int kThreads = 256;
constexpr int kChunks = 2;                     // float4 per thread and tile
constexpr int kTile = kThreads * kChunks * 4;  // outputs per block and round
constexpr int kBlocksPerMultiprocessor = 4;    // 4 blocks fit, with 32 KB of loads in flight

/// A kernel parameter: parameters are in constant memory as well, and need no copy before the launch.
template <int WIDTH>
struct Mask {
    float weight[WIDTH];
};

/// Elements to the left and to the right of a tile: at least half of the mask, in whole float4.
template <int WIDTH>
constexpr int kHalo = (WIDTH / 2 + 3) / 4 * 4;

/// A thread's part of a tile, in flight to shared memory.
struct Load {
    float4 chunk[kChunks];
    float4 halo;
};

/// Starts the loads of the tile that begins at element `base`, and of its halo.
template <int WIDTH>
__device__ Load load_tile(const float* in, int n, int base) {
    Load load;
    // TODO(4): A block has kThreads threads, and the tile has kThreads * kChunks float4. Let neighbouring threads load
    // neighbouring ones. Each side needs kHalo<WIDTH> / 4 more, one per thread. If all of them exist, use read4(), which
    // needs no comparison; otherwise use load4<false>(), which returns zeros for missing elements. About 11 lines.
    // BEGIN SOLUTION 4
    constexpr int side = kHalo<WIDTH> / 4;  // float4 on either side
    int t = threadIdx.x;
    int halo = t < side ? base - kHalo<WIDTH> + t * 4 : base + kTile + (t - side) * 4;
    bool inside =
        base >= kHalo<WIDTH> && base + kTile + kHalo<WIDTH> <= n;  // all but the first and last tiles
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
        int first = base + (c * kThreads + t) * 4;
        load.chunk[c] = inside ? read4(in + first) : load4<false>(in, first, n);
    }
    if (t < 2 * side) load.halo = inside ? read4(in + halo) : load4<false>(in, halo, n);
    // STARTER load = {};
    // STARTER KIT_TODO(4, in, n, base);
    // END SOLUTION 4
    return load;
}

/// Stores the loaded values into a tile of kTile elements with a halo on either side.
template <int WIDTH>
__device__ void store_tile(float* tile, const Load& load) {
    constexpr int side = kHalo<WIDTH> / 4;
    int t = threadIdx.x;
#pragma unroll
    for (int c = 0; c < kChunks; ++c) write4(tile + kHalo<WIDTH> + (c * kThreads + t) * 4, load.chunk[c]);
    if (t < 2 * side) write4(tile + (t < side ? t * 4 : kTile + t * 4), load.halo);
}

}  // namespace

// v4: like v3, but a thread computes four neighbouring outputs at a time, the loops over the mask are unrolled, and loads
//     are in flight while the block computes.
// Mapping : a few blocks per multiprocessor, grid-stride over tiles of 2048 outputs; 8 outputs per thread.
// Cost    : 1 global read per output; a 16-byte shared read for 4 elements instead of 4 * WIDTH reads; 1 barrier.
// Requires: `in` and `out` aligned to 16 bytes.
// Next    : nothing: the memory is the limit. In two dimensions there is more to compute per byte; see v5 in conv2d_tiled.cu.
// [kernel]
template <int WIDTH>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    conv1d_v4_fast(const float* in, int n, Mask<WIDTH> mask, float* out) {
    constexpr int halo = kHalo<WIDTH>;
    __shared__ __align__(16) float tile[2][kTile + 2 * halo];
    int buffer = 0;
    Load load = load_tile<WIDTH>(in, n, blockIdx.x * kTile);
    for (int base = blockIdx.x * kTile; base < n; base += gridDim.x * kTile) {
        // TODO(5): `load` holds this thread's part of the tile that begins at `base`. Move it to tile[buffer]. Make sure that the
        // code below can read the whole tile, that no thread still reads the buffer that the next round writes, and that the
        // memory is busy while this tile is computed. 3 lines.
        // BEGIN SOLUTION 5
        store_tile<WIDTH>(tile[buffer], load);
        __syncthreads();  // the tile is complete; the other tile, which is written next, has been read
        load = load_tile<WIDTH>(in, n, base + gridDim.x * kTile);
        // STARTER KIT_TODO(5, load, base);
        // END SOLUTION 5

#pragma unroll
        for (int c = 0; c < kChunks; ++c) {
            int place = (c * kThreads + threadIdx.x) * 4;  // first of the four outputs, within the tile

            // TODO(1): Copy the elements of tile[buffer] that four outputs need into `window`, an array in registers.
            // About 8 lines.
            float window[4 + 2 * halo];
            // BEGIN SOLUTION 1
#pragma unroll
            for (int w = 0; w < 4 + 2 * halo; w += 4) {
                float4 four = read4(&tile[buffer][place + w]);
                window[w] = four.x;
                window[w + 1] = four.y;
                window[w + 2] = four.z;
                window[w + 3] = four.w;
            }
            // STARTER for (float& element : window) element = 0;
            // STARTER KIT_TODO(1, tile, buffer, place);
            // END SOLUTION 1

            // TODO(2): Compute sum[j], which belongs to output place + j. That output is over window[halo + j]. About 5 lines.
            float sum[4] = {0, 0, 0, 0};
            // BEGIN SOLUTION 2
#pragma unroll
            for (int k = 0; k < WIDTH; ++k) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[j] += mask.weight[k] * window[halo - WIDTH / 2 + k + j];
            }
            // STARTER KIT_TODO(2, mask, window, sum);
            // END SOLUTION 2

            float4 four = {sum[0], sum[1], sum[2], sum[3]};
            if (base + kTile <= n) {
                write4(out + base + place, four);
            } else {
                store4<false>(out, base + place, n, four);
            }
        }
        buffer ^= 1;
    }
}
// [/kernel]

namespace {

template <int WIDTH>
void launch(const float* in, int n, const float* mask, int width, float* out) {
    // TODO(3): Put the `width` elements of the mask into `padded`, so that its centre, element WIDTH / 2, is the
    // mask's centre. The other elements are already 0. 1 line.
    Mask<WIDTH> padded = {};
    // BEGIN SOLUTION 3
    for (int k = 0; k < width; ++k) padded.weight[WIDTH / 2 - width / 2 + k] = mask[k];
    // STARTER KIT_TODO(3, mask, width, padded);
    // END SOLUTION 3

    int device = 0;
    int multiprocessors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    int blocks = std::min(kit::ceil_div(n, kTile), multiprocessors * kBlocksPerMultiprocessor);
    conv1d_v4_fast<WIDTH><<<blocks, kThreads>>>(in, n, padded, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

cudaError_t conv1d_fast(const float* in, int n, const float* mask, int width, float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    auto* const kernel = width <= 5    ? launch<5>
                         : width <= 9  ? launch<9>
                         : width <= 15 ? launch<15>
                                       : launch<31>;
    kernel(in, n, mask, width, out);
    return cudaSuccess;
}

}  // namespace convolution
