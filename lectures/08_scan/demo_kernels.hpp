// Kernels that only the demo of 08_scan has: its input, the parts around a tile scan, and the checks of results.
// Without shared memory and launches: a file that is included is not translated for the CPU executor.
#pragma once

#include <cuda_runtime.h>

namespace {

/// -1, 0, 1 or 2: looks random and is the same everywhere.
__host__ __device__ int value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<int>((i ^ (i >> 16)) >> 8 & 3) - 1;
}

/// Input for the compaction: the same signs, but every value contains its place.
__global__ void fill(int* values, int n, bool with_places) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const int value = value_at(i);
        values[i] = !with_places ? value : value > 0 ? i + 1 : -i - 1;
    }
}

/// Hillis and Steele's step over the whole array.
template <class T>
__global__ void step(const T* from, int n, int stride, T* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i >= stride ? from[i - stride] + from[i] : from[i];
}

/// The sum of each tile, from the last element of its scan.
__global__ void tile_sums(const int* in, const int* out, int n, int tile, bool inclusive, int* sums,
                          int tiles) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= tiles) return;
    const int last = b < tiles - 1 ? (b + 1) * tile - 1 : n - 1;
    sums[b] = inclusive ? out[last] : out[last] + in[last];
}

__global__ void add_offsets(int* out, int n, int tile, const int* offsets) {
    const int block = blockIdx.x, threads = blockDim.x, first = block * tile;
    for (int i = first + threadIdx.x; i < n && i < first + tile; i += threads) out[i] += offsets[block];
}

/// The inclusive scan of the values of a warp's 32 lanes. All lanes take part.
__device__ int warp_scan(int value) {
    const int lane = threadIdx.x % 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) value += before;
    }
    return value;
}

// ---- checks: `mistakes` becomes more than 0 ---------------------------------------------------------------

/// Checks a scan of the whole array (tile 0) or of tiles: the difference of two neighbouring results must be the
/// value at that place.
__global__ void count_mistakes(const int* out, int n, bool inclusive, int tile, int* mistakes) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const bool first = tile == 0 ? i == 0 : i % tile == 0;
        const int before = first ? 0 : out[i - 1];
        const int step = inclusive ? value_at(i) : (first ? 0 : value_at(i - 1));
        if (out[i] != before + step) atomicAdd(mistakes, 1);
    }
}

__global__ void count_differences(const int* in, int n, const int* out, int* mistakes) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        if (out[i] != in[i]) atomicAdd(mistakes, 1);
    }
}

/// Counts the positive values of the input.
__global__ void count_positive(const int* in, int n, int* count) {
    const int threads = gridDim.x * blockDim.x;
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) mine += in[i] > 0 ? 1 : 0;
    if (mine > 0) atomicAdd(count, mine);
}

/// Checks, for the input with places, that each kept value is positive and comes after the previous one. If their
/// number is right as well, none is missing.
__global__ void count_misplaced(const int* kept, int count, int n, int* mistakes) {
    const int threads = gridDim.x * blockDim.x;
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < count; j += threads) {
        const int i = kept[j] - 1, before = j == 0 ? -1 : kept[j - 1] - 1;
        if (i < 0 || i >= n || value_at(i) <= 0 || i <= before) atomicAdd(mistakes, 1);
    }
}

}  // namespace
