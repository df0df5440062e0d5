// wrong: The last float4 is written whole, also where only a part of it exists.
// diagnosis: out of bounds

#include <algorithm>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/rows.cuh"
#include "kit.cuh"

namespace convolution {

namespace {

constexpr int kThreads = 256;
constexpr int kChunks = 2;                     // float4 per thread and tile
constexpr int kTile = kThreads * kChunks * 4;  // outputs per block and round
constexpr int kBlocksPerMultiprocessor = 4;    // so many fit, and have 32 KB of loads on their way

/// A kernel parameter: parameters lie in constant memory, too, and need no copy before the launch.
template <int WIDTH>
struct Mask {
    float weight[WIDTH];
};

/// Left and right of a tile: at least half of the mask, in whole float4.
template <int WIDTH>
constexpr int kHalo = (WIDTH / 2 + 3) / 4 * 4;

/// What a thread loads of a tile, on its way to shared memory.
struct Load {
    float4 chunk[kChunks];
    float4 halo;
};

/// Starts the loads of the tile that begins at element `base`. The first threads take the halo as well.
template <int WIDTH>
__device__ Load load_tile(const float* in, int n, int base) {
    constexpr int side = kHalo<WIDTH> / 4;  // float4 on either side
    int t = threadIdx.x;
    int halo = t < side ? base - kHalo<WIDTH> + t * 4 : base + kTile + (t - side) * 4;
    bool inside =
        base >= kHalo<WIDTH> && base + kTile + kHalo<WIDTH> <= n;  // all but the first and last tiles
    Load load;
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
        int first = base + (c * kThreads + t) * 4;
        load.chunk[c] = inside ? read4(in + first) : load4<false>(in, first, n);
    }
    if (t < 2 * side) load.halo = inside ? read4(in + halo) : load4<false>(in, halo, n);
    return load;
}

/// Puts them into a tile of kTile elements with a halo on either side.
template <int WIDTH>
__device__ void store_tile(float* tile, const Load& load) {
    constexpr int side = kHalo<WIDTH> / 4;
    int t = threadIdx.x;
#pragma unroll
    for (int c = 0; c < kChunks; ++c) write4(tile + kHalo<WIDTH> + (c * kThreads + t) * 4, load.chunk[c]);
    if (t < 2 * side) write4(tile + (t < side ? t * 4 : kTile + t * 4), load.halo);
}

}  // namespace

template <int WIDTH>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    conv1d_v4_fast(const float* in, int n, Mask<WIDTH> mask, float* out) {
    constexpr int halo = kHalo<WIDTH>;
    __shared__ __align__(16) float tile[2][kTile + 2 * halo];
    int buffer = 0;
    Load load = load_tile<WIDTH>(in, n, blockIdx.x * kTile);
    for (int base = blockIdx.x * kTile; base < n; base += gridDim.x * kTile) {
        store_tile<WIDTH>(tile[buffer], load);
        __syncthreads();  // the tile is complete; and all have read the other one, which the next round writes
        load = load_tile<WIDTH>(in, n, base + gridDim.x * kTile);

#pragma unroll
        for (int c = 0; c < kChunks; ++c) {
            int place = (c * kThreads + threadIdx.x) * 4;  // of the first of four outputs, within the tile

            float window[4 + 2 * halo];
#pragma unroll
            for (int w = 0; w < 4 + 2 * halo; w += 4) {
                float4 four = read4(&tile[buffer][place + w]);
                window[w] = four.x;
                window[w + 1] = four.y;
                window[w + 2] = four.z;
                window[w + 3] = four.w;
            }

            float sum[4] = {0, 0, 0, 0};
#pragma unroll
            for (int k = 0; k < WIDTH; ++k) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[j] += mask.weight[k] * window[halo - WIDTH / 2 + k + j];
            }

            float4 four = {sum[0], sum[1], sum[2], sum[3]};
            if (base + kTile <= n) {
                write4(out + base + place, four);
            } else {
                if (base + place < n) write4(out + base + place, four);
            }
        }
        buffer ^= 1;
    }
}

namespace {

template <int WIDTH>
void launch(const float* in, int n, const float* mask, int width, float* out) {
    Mask<WIDTH> padded = {};
    for (int k = 0; k < width; ++k) padded.weight[WIDTH / 2 - width / 2 + k] = mask[k];

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
