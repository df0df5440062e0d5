// The contract of topic 06_histogram: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 06: how many times does each value occur? Output interference, atomics, privatization.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), a `std::size_t n` is less than 2^32 (a counter has 32 bits) but can exceed
/// 2^31, and an error of a launch ends the program (CUDA_CHECK_LAUNCH). The contents of `bins` before a call
/// do not matter: every bin is written. For n = 0, all bins are 0.
///
/// **Letters.** A text is counted in kLetterBins groups of four lower-case letters: a-d, e-h, i-l, m-p, q-t,
/// u-x, and y-z, which has only two. Nothing else is counted: no capitals, no digits, no punctuation, no
/// bytes above 127.
///
/// What is counted, besides the values (on the CPU backend):
///   - sections: kernels
///   - interleaved: kernels
///   - privatized: atomics, barriers, contention, kernels
///   - byte_histogram: atomics, contention, kernels, stores to shared memory
///   - partial_privatization: kernels
///   - cluster_histogram: kernels
///   - aggregated: atomics, contention, kernels
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace histogram {

/// Threads per block, unless the function takes them as an argument.
constexpr int kBlock = 256;

/// No function below needs more blocks than this, except the last exercise.
constexpr int kMaxBlocks = 1024;

/// Groups of letters.
constexpr int kLetterBins = 7;

/// Values of a byte.
constexpr int kByteBins = 256;

/// Private histograms per block in byte_histogram: one for each warp.
constexpr int kCopies = kBlock / 32;

/// Bins that a block holds in shared memory if there are more bins in total: 32 KB of counters.
constexpr int kPrivateBins = 8192;

/// Blocks per cluster in cluster_histogram; together they hold kClusterSize * kPrivateBins bins.
constexpr int kClusterSize = 8;

/// Counts letters without atomics. This is **wrong**, and given so that you can see what a race does to a count.
///
/// Each thread goes through a section of the text, n / threads letters long, and increments the counters in
/// global memory as if it were alone.
///
/// @param text  n characters, not modified
/// @param n     0 or more
/// @param bins  kLetterBins counters, most of them too small
void sections_racy(const char* text, std::size_t n, unsigned int* bins);

/// Counts letters: one section of the text per thread, one atomic addition in global memory per letter.
///
/// @param text  n characters, not modified
/// @param n     0 or more
/// @param bins  kLetterBins counters
/// @note  correct, but slow: neighbouring threads read characters that are a whole section apart
void sections(const char* text, std::size_t n, unsigned int* bins);

/// Counts letters: neighbouring threads read neighbouring characters, one atomic addition in global memory per letter. Which part
/// of the text a block reads is up to you: a grid-stride loop and one section per block are both allowed.
///
/// @param text  n characters, not modified
/// @param n     0 or more
/// @param bins  kLetterBins counters
void interleaved(const char* text, std::size_t n, unsigned int* bins);

/// Counts letters: each block counts in its own histogram in shared memory, and adds it to `bins` at the
/// end.
///
/// @param text     n characters, not modified
/// @param n        0 or more
/// @param bins     kLetterBins counters
/// @param threads  threads per block: 1 to 1024, any number, perhaps fewer than there are bins
/// @note  two barriers per block, and kLetterBins atomic additions per block in global memory
void privatized(const char* text, std::size_t n, unsigned int* bins, int threads);

/// Counts bytes: every block has kCopies private histograms in shared memory, one for each of its warps. It adds them up
/// before it performs one atomic addition per bin in global memory. How its threads wait for each other is up to you: a
/// warp that clears its own histogram needs no barrier of the block for that.
///
/// @param data  n bytes, not modified
/// @param n     0 or more
/// @param bins  kByteBins counters: bins[v] is how many times v occurs
void byte_histogram(const unsigned char* data, std::size_t n, unsigned int* bins);

/// Counts 16-bit values if the bins do not all fit into shared memory: bins first_private to
/// first_private + kPrivateBins - 1 are private to the block, the others are counted in global memory.
///
/// @param values         n values, not modified; values of bin_count and more are not counted
/// @param n              0 or more
/// @param bins           bin_count counters: bins[v] is how many times v occurs
/// @param bin_count      1 to 65536
/// @param first_private  0 or more, less than bin_count; the private range may end beyond the last bin
/// @note  worth it if most values are in the private range
void partial_privatization(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count,
                           int first_private);

/// Counts 16-bit values with all bins in shared memory, spread over the blocks of a cluster: block r of a
/// cluster holds bins r * kPrivateBins to (r + 1) * kPrivateBins - 1, and all blocks of the cluster count there.
///
/// @param values     n values, not modified; values of bin_count and more are not counted
/// @param n          0 or more
/// @param bins       bin_count counters: bins[v] is how many times v occurs
/// @param bin_count  1 to kClusterSize * kPrivateBins = 65536
/// @return false, with nothing launched and `bins` unchanged, if the device does not support clusters
///         (cudaDevAttrClusterLaunch is 0; clusters need sm_90); otherwise true
bool cluster_histogram(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count);

/// Counts letters in registers: 16-byte loads, no atomic per letter, and a time that does not depend on the
/// text.
///
/// @param text         n characters, not modified; any alignment
/// @param n            0 or more
/// @param bins         kLetterBins counters
/// @param most_blocks  the largest grid; 0 means as many blocks as the device runs at the same time
/// @note  the goal: at least as fast as cub::DeviceHistogram::HistogramEven, whatever the text
void aggregated_letters(const char* text, std::size_t n, unsigned int* bins, int most_blocks = 0);

/// Counts bytes: 16-byte loads, and in each block one private counter per value *and lane*, so that no two
/// lanes of a warp ever use the same bank.
///
/// @param data         n bytes, not modified; any alignment
/// @param n            0 or more
/// @param bins         kByteBins counters
/// @param most_blocks  the largest grid; 0 means as many blocks as the device runs at the same time
/// @note  the goal: at least as fast as cub::DeviceHistogram::HistogramEven, whatever the bytes
void aggregated_bytes(const unsigned char* data, std::size_t n, unsigned int* bins, int most_blocks = 0);

}  // namespace histogram
