// 08_scan/radix_sort: sorting by digits, each key put where a scan says. From the host's keys and back.
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

// v10: how often has each tile each digit; how many keys come before those; every key to its place.
// Mapping : one block per tile of kBlock keys, one thread per key; the middle launch is one block.
// Cost    : per digit of 4 bits every key is read twice and written once.
// Requires: radix_scratch(n) counts.
// Next    : more keys per thread, digits of 8 bits, and v8's look-back in place of the middle launch.

/// counts[digit * gridDim.x + blockIdx.x]: how many keys of this block's tile have the digit.
// [count]
__global__ void radix_sort_v10_count(const unsigned int* in, int n, int shift, int* counts) {
    // TODO(1): Count the digits of this block's tile, one key per thread, in shared memory; then kDigits of the threads
    // write the counts. All counts of digit 0 come first, tile by tile, then those of digit 1: see the line above.
    // About 7 lines.
    KIT_TODO(1, in, n, shift, counts);
}
// [/count]

/// One block turns all counts into their exclusive scan.
__global__ void radix_sort_v10_scan(int* counts, int n) {
    __shared__ int ends[kScanBlock];
    int carry = 0;
    for (int base = 0; base < n; base += kScanBlock) {
        int i = base + threadIdx.x;
        int own = i < n ? counts[i] : 0;
        ends[threadIdx.x] = own;
        for (int stride = 1; stride < kScanBlock; stride *= 2) {
            __syncthreads();  // the step before is complete
            int before = static_cast<int>(threadIdx.x) >= stride ? ends[threadIdx.x - stride] : 0;
            __syncthreads();  // all have read
            ends[threadIdx.x] += before;
        }
        __syncthreads();  // all see the last sum
        if (i < n) counts[i] = carry + ends[threadIdx.x] - own;
        carry += ends[kScanBlock - 1];
        __syncthreads();  // all have read it: the next round may write
    }
}

/// starts[digit * gridDim.x + blockIdx.x]: the place of this tile's first key with that digit.
// [place]
__global__ void radix_sort_v10_place(const unsigned int* in, int n, int shift, unsigned int* out,
                                     const int* starts) {
    __shared__ int before_warp[kWarps][kDigits];  // first: how many of a warp's keys have the digit
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;
    int i = blockIdx.x * kBlock + t;
    unsigned int key = i < n ? in[i] : 0;
    int digit = i < n ? digit_of(key, shift) : kDigits;  // behind the end: a digit that no key has

    // TODO(2): Which lanes of the warp have the same digit (__match_any_sync)? How many of them are before this lane? Write
    // for each digit how many of the warp's keys have it, also where that is 0. Then let threads 0 to kDigits - 1 turn the
    // warps' counts into what lies in the warps before. About 12 lines.
    int before_lane = 0;
    KIT_TODO(2, lane, warp, digit, before_warp);

    // TODO(3): Write the key to its place: behind the keys of this digit in the tiles, the warps and the lanes before.
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
    // TODO(4): All of the host's part, from an empty function: memory for the keys, for the keys of the next pass and for
    // the counts; the copy to the device; one pass per digit, where what was written is read by the next pass; the copy
    // back; and everything is freed. Check every call (CUDA_CHECK). About 14 lines.
    KIT_TODO(4, keys, n);
}
// [/host]

}  // namespace scan
