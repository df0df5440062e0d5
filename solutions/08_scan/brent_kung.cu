// 08_scan/brent_kung: an inclusive scan with few additions, without an identity.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests brent_kung.cu
//        ../../tests/08_scan/brent_kung_test.cu -o brent_kung
// Run:   ./brent_kung
//
//   v5  brent_kung_v5: builds the tree of v3 upwards, then adds sums to elements on the right; needs no identity

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

// v5: the up-sweep of v3 already finishes many elements; the way down finishes the others.
// Mapping : two elements per thread, one block per kTile elements; in each step, one thread per addition.
// Cost    : 2 kTile - 2 - log2(kTile) additions, inclusive; 2 log2(kTile) - 1 steps, one barrier each.
// Requires: kTile is a power of two; n need not be a multiple of it; + needs no identity.
// Next    : this scans tiles, not a whole array; see v6 in multi_block.cu.
// [kernel]
template <class T>
__global__ void brent_kung_v5(const T* in, int n, T* out) {
    static_assert((kTile & (kTile - 1)) == 0, "the steps double and halve the stride");
    __shared__ T tile[kTile];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile;
    int count = min(kTile, n - first);  // elements of this tile that exist

    // TODO(1): Load the tile and build the tree of sums upwards. Do not substitute a value for a missing element: never read
    // or write the tile at `count` or beyond, and perform no addition for a missing element. About 6 lines.
    // BEGIN SOLUTION 1
    for (int k = t; k < count; k += kBlock) tile[k] = in[first + k];
    for (int stride = 1; stride < kTile; stride *= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        int right = (t + 1) * 2 * stride - 1;
        if (right < count) tile[right] = tile[right - stride] + tile[right];
    }
    // STARTER KIT_TODO(1, t, tile, count, in);
    // END SOLUTION 1

    // TODO(2): On the way down, add finished sums to elements further to the right. Start with the largest stride that has such
    // an element, and continue until all existing elements are finished. Then let every thread read all of them. About 6 lines.
    // BEGIN SOLUTION 2
    for (int stride = kTile / 4; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        int right = (t + 1) * 2 * stride - 1;
        if (right + stride < count) tile[right + stride] = tile[right] + tile[right + stride];
    }
    __syncthreads();  // below, each thread reads values that other threads wrote
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
