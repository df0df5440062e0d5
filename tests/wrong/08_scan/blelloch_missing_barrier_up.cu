// wrong: No barrier between the steps of the up-sweep.
// diagnosis: race on
// diagnosis: `tile` (shared)
// backends: cpu (on a GPU the warps may happen to run in step, and the results come out right)
// sanitizer.says: race on

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

/// Element i lies at place i.
struct Straight {
    static constexpr int size = kTile;
    __host__ __device__ static int place(int i) { return i; }
};

/// Element i lies a little further on, so that elements 32, 64, ... apart lie in different banks.
struct Padded {
    static constexpr int size = kTile + kTile / 32;
    __host__ __device__ static int place(int i) { return i + i / 32; }
};

/// Exclusive scan of the kTile values of a tile in shared memory. Called by all threads of the block, which
/// have just written it; ends with a barrier.
template <class Layout, class T>
__device__ void scan_tile(T* tile) {
    static_assert((kTile & (kTile - 1)) == 0, "the sweeps double and halve the stride");
    int t = threadIdx.x;

    __syncthreads();
    for (int stride = 1; stride < kTile; stride *= 2) {
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) {
            T& sum = tile[Layout::place(right)];
            sum = tile[Layout::place(right - stride)] + sum;
        }
    }

    if (t == 0) tile[Layout::place(kTile - 1)] = T{};

    for (int stride = kBlock; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) {
            T before = tile[Layout::place(right)];
            T left_sum = tile[Layout::place(right - stride)];
            tile[Layout::place(right - stride)] = before;
            tile[Layout::place(right)] = before + left_sum;
        }
    }
    __syncthreads();  // the caller reads what other threads wrote
}

/// Two elements per thread into the tile, scan, two elements out of it.
template <class Layout, class T>
__device__ void scan_through(T* tile, const T* in, int n, T* out) {
    int t = threadIdx.x;
    int first = blockIdx.x * kTile;
    for (int k = t; k < kTile; k += kBlock) tile[Layout::place(k)] = first + k < n ? in[first + k] : T{};
    scan_tile<Layout>(tile);
    for (int k = t; k < kTile; k += kBlock) {
        if (first + k < n) out[first + k] = tile[Layout::place(k)];
    }
}

template <class T>
__global__ void blelloch_v3_sweeps(const T* in, int n, T* out) {
    __shared__ T tile[Straight::size];
    scan_through<Straight>(tile, in, n, out);
}

template <class T>
void blelloch(const T* in, int n, T* out) {
    if (n == 0) return;
    blelloch_v3_sweeps<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

template <class T>
__global__ void blelloch_v4_padded(const T* in, int n, T* out) {
    __shared__ T tile[Padded::size];
    scan_through<Padded>(tile, in, n, out);
}

template <class T>
void blelloch_padded(const T* in, int n, T* out) {
    if (n == 0) return;
    blelloch_v4_padded<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

int padded_place(int i) {
    return Padded::place(i);
}

template void blelloch(const int*, int, int*);
template void blelloch(const Segmented*, int, Segmented*);
template void blelloch(const Counted*, int, Counted*);
template void blelloch_padded(const int*, int, int*);
template void blelloch_padded(const Segmented*, int, Segmented*);
template void blelloch_padded(const Counted*, int, Counted*);

}  // namespace scan
