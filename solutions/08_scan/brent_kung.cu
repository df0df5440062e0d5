// 08_scan/brent_kung: inclusive scans of 512 values each, with the fewest additions.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests brent_kung.cu
//        ../../tests/08_scan/brent_kung_test.cu -o brent_kung
// Run:   ./brent_kung
//
//   v5  brent_kung_v5: the tree of v3 upwards, then sums handed to the right, without an identity

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

// v5: the up-sweep of v3 leaves many elements finished; the way down finishes the others.
// Mapping : two elements per thread, one block per kTile elements; in each step one thread per addition.
// Cost    : 2 kTile - 2 - log2(kTile) additions, inclusive; 2 log2(kTile) - 1 steps, one barrier each.
// Requires: kTile is a power of two; n may be ragged; + needs no identity.
// Next    : a tile is not an array; see v6 in multi_block.cu.
// [kernel]
template <class T>
__global__ void brent_kung_v5(const T* in, int n, T* out) {
    static_assert((kTile & (kTile - 1)) == 0, "the steps double and halve the stride");
    __shared__ T tile[kTile];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile;
    int count = min(kTile, n - first);  // elements that exist

    // TODO(1): Fill the tile and build the tree of sums upwards. Nothing stands for an element that does not exist:
    // no place of the tile beyond `count` is read or written, and no addition is made for one. About 6 lines.
    // BEGIN SOLUTION 1
    for (int k = t; k < count; k += kBlock) tile[k] = in[first + k];
    for (int stride = 1; stride < kTile; stride *= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        int right = (t + 1) * 2 * stride - 1;
        if (right < count) tile[right] = tile[right - stride] + tile[right];
    }
    // STARTER KIT_TODO(1, t, tile, count, in);
    // END SOLUTION 1

    // TODO(2): Downwards: hand finished sums to the right, from the largest stride that has somebody to hand one to,
    // until all elements that exist are finished. After the last step all threads may read everything. About 6 lines.
    // BEGIN SOLUTION 2
    for (int stride = kTile / 4; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        int right = (t + 1) * 2 * stride - 1;
        if (right + stride < count) tile[right + stride] = tile[right] + tile[right + stride];
    }
    __syncthreads();  // each thread reads below what others wrote
    // STARTER KIT_TODO(2, t, tile);
    // END SOLUTION 2

    for (int k = t; k < count; k += kBlock) out[first + k] = tile[k];
}
// [/kernel]

template <class T>
void brent_kung(const T* in, int n, T* out) {
    if (n == 0) return;
    brent_kung_v5<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

template void brent_kung(const int*, int, int*);
template void brent_kung(const Segmented*, int, Segmented*);
template void brent_kung(const Counted*, int, Counted*);

}  // namespace scan
