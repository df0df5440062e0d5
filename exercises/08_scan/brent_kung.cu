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
// Requires: kTile is a power of two; n may be ragged.
// Next    : a tile is not an array; see v6 in multi_block.cu.
// [kernel]
template <class T>
__global__ void brent_kung_v5(const T* in, int n, T* out) {
    static_assert((kTile & (kTile - 1)) == 0, "the steps double and halve the stride");
    __shared__ T tile[kTile];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile;
    for (int k = t; k < kTile; k += kBlock) tile[k] = first + k < n ? in[first + k] : T{};

    // TODO(1): Upwards, as in blelloch: for stride = 1, 2, ..., kBlock add element right - stride before
    // element right, where right = (t + 1) * 2 * stride - 1. About 5 lines.
    KIT_TODO(1, t, tile);

    // TODO(2): Downwards, for stride = kTile / 4, ..., 2, 1: element `right` (as above) is finished. Add it
    // before the element that lies `stride` further on, where there is one. After the last step all threads
    // may read everything. About 6 lines.
    KIT_TODO(2, t, tile);

    for (int k = t; k < kTile; k += kBlock) {
        if (first + k < n) out[first + k] = tile[k];
    }
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
