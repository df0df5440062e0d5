// 08_scan/radix_sort: a sort of host data: digit counts and key positions.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests radix_sort.cu
//        ../../tests/08_scan/radix_sort_test.cu -o radix_sort
// Run:   ./radix_sort
//
//   v10  radix_sort_v10_count, radix_sort_v10_scan, radix_sort_v10_place: one digit, three launches

#include <utility>

#include "00_first_kernel/watch_memory.hpp"  // the grader watches the memory that you allocate
#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

namespace {

constexpr int kWarps = kBlock / 32;
constexpr int kScanBlock = 1024;

}  // namespace

// v10: count how often each digit occurs in each tile; count the keys that come before these; write each key to its place.
// Mapping : one block per tile of kBlock keys, one thread per key; the middle launch is one block.
// Cost    : for each digit of 4 bits, every key is read twice and written once.
// Requires: scratch memory for radix_scratch(n) counts.
// Next    : more keys per thread, digits of 8 bits, and the look-back of v8 instead of the middle launch.

/// Sets counts[digit * gridDim.x + blockIdx.x] to the number of keys with that digit in this block's tile.
// [count]
__global__ void radix_sort_v10_count(const unsigned int* in, int n, int shift, int* counts) {
    // TODO(1): Count the digits of this block's tile in shared memory, one key per thread. Then let kDigits of the threads write
    // the counts. First come the counts of digit 0, tile by tile, then those of digit 1: see the index in the comment above.
    // About 8 lines.
    KIT_TODO(1, in, n, shift, counts);
}
// [/count]

/// Replaces all counts by their exclusive scan. Launched with one block.
__global__ void radix_sort_v10_scan(int* counts, int n) {
    __shared__ int ends[kScanBlock];
    int carry = 0;
    for (int base = 0; base < n; base += kScanBlock) {
        int i = base + threadIdx.x;
        int own = i < n ? counts[i] : 0;
        ends[threadIdx.x] = own;
        for (int stride = 1; stride < kScanBlock; stride *= 2) {
            __syncthreads();  // all threads have written the previous step
            int before = static_cast<int>(threadIdx.x) >= stride ? ends[threadIdx.x - stride] : 0;
            __syncthreads();  // all threads have read before one overwrites
            ends[threadIdx.x] += before;
        }
        __syncthreads();  // all threads read the last sum
        if (i < n) counts[i] = carry + ends[threadIdx.x] - own;
        carry += ends[kScanBlock - 1];
        __syncthreads();  // all threads have read it before the next round writes
    }
}

/// Writes each key to its place. starts[digit * gridDim.x + blockIdx.x]: place of this tile's first key with that digit.
// [place]
__global__ void radix_sort_v10_place(const unsigned int* in, int n, int shift, unsigned int* out,
                                     const int* starts) {
    __shared__ int before_warp[kWarps][kDigits];  // at first, how many keys of the warp have the digit
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;
    int i = blockIdx.x * kBlock + t;
    unsigned int key = i < n ? in[i] : 0;
    int digit = i < n ? digit_of(key, shift) : kDigits;  // past the end: a digit that no key has

    // TODO(2): Find the lanes of the warp that have the same digit (__match_any_sync), and count how many of them are below this
    // lane. Write for each digit how many of the warp's keys have it, even if there are none. Then let threads 0 to kDigits - 1
    // replace the count of each warp by the sum over all earlier warps. About 15 lines.
    int before_lane = 0;
    KIT_TODO(2, lane, warp, digit, before_warp);

    // TODO(3): Write the key to its place: after the keys with this digit in earlier tiles, earlier warps and lower lanes.
    // About 1 line.
    KIT_TODO(3, before_lane, key, out, starts);
}
// [/place]

void count_digits(const unsigned int* in, int n, int shift, int* counts) {
    radix_sort_v10_count<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, shift, counts);
    CUDA_CHECK_LAUNCH();
}

void sort_by_digit(const unsigned int* in, int n, int shift, unsigned int* out, int* scratch) {
    if (n == 0) return;
    int tiles = kit::ceil_div(n, kBlock);
    count_digits(in, n, shift, scratch);
    radix_sort_v10_scan<<<1, kScanBlock>>>(scratch, kDigits * tiles);
    CUDA_CHECK_LAUNCH();
    radix_sort_v10_place<<<tiles, kBlock>>>(in, n, shift, out, scratch);
    CUDA_CHECK_LAUNCH();
}

// [host]
void radix_sort(unsigned int* keys, int n) {
    // TODO(4): Write the whole host part; the function is empty. Allocate memory for the keys, for the keys of the next pass and
    // for the counts. Copy the keys to the device. Run one pass per digit; each pass reads what the previous pass wrote. Copy
    // the keys back and free everything. Check every call (CUDA_CHECK). About 16 lines.
    KIT_TODO(4, keys, n);
}
// [/host]

}  // namespace scan
