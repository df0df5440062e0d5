// 08_scan/blelloch: the scan with few additions, and without bank conflicts.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests blelloch.cu
//        ../../tests/08_scan/blelloch_test.cu -o blelloch
// Run:   ./blelloch
//
//   v3  blelloch_v3_sweeps: builds a tree of sums upwards, then passes prefixes downwards
//   v4  blelloch_v4_padded: like v3, but no two lanes of a warp use the same bank

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

/// Puts element i at place i.
struct Straight {
    static constexpr int size = kTile;
    __host__ __device__ static int place(int i) { return i; }
};

/// Puts element i a little further on, so that elements that are 32, 64, ... apart are in different banks.
// [padded]
struct Padded {
    static constexpr int size = kTile + kTile / 32;
    __host__ __device__ static int place(int i) {
        // TODO(4): Leave one place unused after every 32 elements. 1 line.
        // BEGIN SOLUTION 4
        return i + i / 32;
        // STARTER KIT_TODO(4);
        // STARTER return i;
        // END SOLUTION 4
    }
};
// [/padded]

/// Replaces the kTile values of a tile in shared memory by their exclusive scan. All threads of the block call it
/// immediately after they have written the tile. It ends with a barrier.
// [sweeps]
template <class Layout, class T>
__device__ void scan_tile(T* tile) {
    static_assert((kTile & (kTile - 1)) == 0, "the sweeps double and halve the stride");
    int t = threadIdx.x;

    // TODO(1): Perform the up-sweep. For stride = 1, 2, ..., kBlock: wait. Then thread t computes the right end of its node,
    // right = (t + 1) * 2 * stride - 1. If that is in the tile, it adds element right - stride to element `right`, as the
    // left operand. Use Layout::place for every index. About 8 lines.
    // BEGIN SOLUTION 1
    for (int stride = 1; stride < kTile; stride *= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) {
            T& sum = tile[Layout::place(right)];
            sum = tile[Layout::place(right - stride)] + sum;
        }
    }
    // STARTER KIT_TODO(1, t, tile);
    // END SOLUTION 1

    // TODO(2): The last element holds the sum of the tile, which thread 0 wrote. Start the down-sweep with the sum of all
    // elements before the tile in its place. 1 line.
    // BEGIN SOLUTION 2
    if (t == 0) tile[Layout::place(kTile - 1)] = T{};
    // STARTER KIT_TODO(2, t, tile);
    // END SOLUTION 2

    // TODO(3): Perform the down-sweep. For stride = kBlock, ..., 2, 1: wait. Element `right` holds the sum of all elements
    // before its node. Pass it to the left child unchanged, and to the right child with the left child's sum added as the
    // right operand. After the last step, every thread may read every element. About 11 lines.
    // BEGIN SOLUTION 3
    for (int stride = kBlock; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) {
            T before = tile[Layout::place(right)];
            T left_sum = tile[Layout::place(right - stride)];
            tile[Layout::place(right - stride)] = before;
            tile[Layout::place(right)] = before + left_sum;
        }
    }
    __syncthreads();  // the caller reads values that other threads wrote
    // STARTER KIT_TODO(3, t, tile);
    // END SOLUTION 3
}
// [/sweeps]

/// Loads two elements per thread into the tile, scans the tile, and stores two elements per thread.
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

// v3: sums 2, 4, 8, ... elements up to the root of a tree. On the way down, each node passes to its children the sum of
//     all elements before them.
// Mapping : two elements per thread, one block per kTile elements; in each step, one thread per node.
// Cost    : 2 (kTile - 1) additions instead of kTile log2(kTile); 2 log2(kTile) + 1 barriers.
// Requires: kTile is a power of two; n need not be a multiple of it; T{} is the identity.
// Next    : at stride 16, all lanes of a warp use the same bank; see v4.
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

// v4: like v3, with one unused place after every 32 elements.
// Mapping : as v3.
// Cost    : as v3, plus one addition and one shift per index; one wavefront per access instead of up to 16.
// Requires: elements of 4 bytes; with other sizes, lanes may use the same bank.
// Next    : an inclusive scan needs fewer additions on the way down; see v5 in brent_kung.cu.
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
