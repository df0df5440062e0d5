// The contract of topic 05_convolution: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 05: each output is a weighted sum of its neighbours. Halos, ghosts, constant memory, reuse.
///
/// **The definition**, in one dimension: `out[i]` is the sum over k of `mask[k] * in[i + k - width / 2]`, and an
/// element of `in` outside 0 .. n - 1 (a *ghost*) counts as 0. The centre of the mask is element `width / 2`,
/// rounded down: a mask of width 5 has two elements on either side of it, one of width 4 has two on the left and
/// one on the right. The mask is not reversed: mathematicians call this a correlation.
///
/// In two dimensions, `out[y][x]` is the sum over p and q of
/// `mask[p][q] * in[y + p - width / 2][x + q - width / 2]`; the mask is square, and all arrays are row by row without gaps.
///
/// Unless stated otherwise, `in` and `out` are *device* memory and do not overlap, `mask` is *host* memory and may
/// change as soon as the function returns, every function only launches one kernel (or two, where it says so) and may
/// return before the kernel has run, and an error of a launch ends the program (CUDA_CHECK_LAUNCH). A call with nothing to do
/// (n = 0, or no rows, or no columns) launches nothing. All functions that return an error code return
/// cudaErrorInvalidValue, and launch nothing, if the mask has no element or is wider than they can hold; otherwise
/// cudaSuccess.
///
/// What is counted, besides the values (on the CPU backend):
///   - conv1d_basic: kernels, share of one thread, stores, threads
///   - conv1d_constant: bytes copied, kernels, stores
///   - conv1d_tiled: barriers, kernels, loads, stores
///   - conv1d_fast: kernels, stores, threads
///   - conv2d_tiled: barriers, kernels, stores
///   - conv2d_fast: kernels, stores, threads
///   - conv2d_separable: kernels, stores
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
///
/// The threads share the work: each value of an output, and of `scratch`, is written once.
namespace convolution {

/// Threads per block in the exercises in one dimension.
constexpr int kBlock = 256;

/// Number of elements that fit into the mask in constant memory (conv1d_constant, conv1d_tiled). Odd, and half of it is
/// less than a block.
constexpr int kMaxWidth = 127;

/// Columns and rows of the tile of outputs in conv2d_tiled, and of its block of threads.
constexpr int kTileX = 32;
constexpr int kTileY = 16;

/// The widest mask of conv1d_fast and of the functions in two dimensions: 31 * 31 floats are 3.8 KB.
constexpr int kMaxWidth2d = 31;

/// Convolves with one thread per output and everything in global memory.
///
/// @param in     n values, not modified
/// @param n      0 to 2^30
/// @param mask   `width` values in *device* memory, not modified
/// @param width  1 or more, odd or even; it may be larger than n
/// @param out    n values, every one written
void conv1d_basic(const float* in, int n, const float* mask, int width, float* out);

/// Like conv1d_basic, but with the mask in constant memory: copied there with cudaMemcpyToSymbol once per call, with or without
/// padding to kMaxWidth, and read through the constant cache.
///
/// @param in     n values, not modified
/// @param n      0 to 2^30
/// @param mask   `width` values in *host* memory, not modified
/// @param width  1 to kMaxWidth, odd or even
/// @param out    n values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv1d_constant(const float* in, int n, const float* mask, int width, float* out);

/// Like conv1d_constant, but with a tile in shared memory: a block loads its kBlock elements and the halo once, width / 2
/// elements on the left and the rest on the right, and all its threads read them from there. One barrier per block.
///
/// @param in     n values, not modified
/// @param n      0 to 2^30
/// @param mask   `width` values in *host* memory
/// @param width  1 to kMaxWidth, odd or even
/// @param out    n values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv1d_tiled(const float* in, int n, const float* mask, int width, float* out);

/// Like conv1d_tiled, but as fast as the memory delivers the values: each thread computes eight outputs or more (in the starter,
/// two times four neighbours), the compiler knows the width, the mask is a kernel parameter, and the next tile is in
/// flight while the current tile is computed.
///
/// A mask that is narrower than the masks of the available kernels is padded with zeros, so `in` must be finite: an
/// infinity next to the mask would become NaN.
///
/// @param in     n values, not modified; aligned to 16 bytes
/// @param n      0 to 2^30
/// @param mask   `width` values in *host* memory
/// @param width  1 to kMaxWidth2d, odd or even
/// @param out    n values, every one written; aligned to 16 bytes
/// @return cudaErrorInvalidValue for a width that does not fit
/// @note  at most one thread per eight values, plus 1024 threads
cudaError_t conv1d_fast(const float* in, int n, const float* mask, int width, float* out);

/// Convolves in two dimensions with one thread per output and the mask in constant memory, and reads every element
/// from global memory. Given, for comparison.
///
/// @param in       rows * columns values, not modified
/// @param rows     0 or more, at most kTileY * 65,535: a grid has no more blocks in its second dimension
/// @param columns  0 or more; rows * columns is at most 2^30
/// @param mask     width * width values in *host* memory
/// @param width    1 to kMaxWidth2d, odd or even
/// @param out      rows * columns values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv2d_constant(const float* in, int rows, int columns, const float* mask, int width, float* out);

/// Like conv2d_constant, but with a tile in shared memory: kTileX * kTileY outputs, with halo rows, halo columns and corners
/// around them. One barrier per block.
///
/// @param in       rows * columns values, not modified
/// @param rows     0 or more, at most kTileY * 65,535
/// @param columns  0 or more
/// @param mask     width * width values in *host* memory
/// @param width    1 to kMaxWidth2d, odd or even
/// @param out      rows * columns values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv2d_tiled(const float* in, int rows, int columns, const float* mask, int width, float* out);

/// Like conv2d_tiled, but as fast as the multiply-add units or the memory allow. For masks up to 9 * 9, blocks walk down strips
/// of the image: each thread reads an element from shared memory once and adds its products to all outputs that need
/// them, which are held in registers. For wider masks, each thread computes outputs of two rows from a tile.
///
/// Masks are padded with zeros as in conv1d_fast, so `in` must be finite.
///
/// @param in       rows * columns values, not modified; any number of columns (a multiple of 4 is
///                 faster)
/// @param rows     0 or more
/// @param columns  0 or more
/// @param mask     width * width values in *host* memory
/// @param width    1 to kMaxWidth2d, odd or even
/// @param out      rows * columns values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
/// @note  one launch, whatever the mask; for masks up to 9 * 9 at most one thread per 16 outputs if the image has
///        whole strips (512 columns, 8 rows)
cudaError_t conv2d_fast(const float* in, int rows, int columns, const float* mask, int width, float* out);

/// Convolves with a mask that is a product, `mask[p][q] = down[p] * across[q]`, in two launches: all rows with
/// `across` into `scratch`, then all columns of `scratch` with `down` into `out`. 2 * width multiplications per output
/// instead of width * width.
///
/// @param in       rows * columns values, not modified
/// @param rows     0 or more, at most kTileY * 65,535
/// @param columns  0 or more
/// @param down     `width` values in *host* memory
/// @param across   `width` values in *host* memory
/// @param width    1 to kMaxWidth2d, odd or even
/// @param scratch  rows * columns values: after the call, every row of `in` convolved with `across`
/// @param out      rows * columns values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv2d_separable(const float* in, int rows, int columns, const float* down, const float* across,
                             int width, float* scratch, float* out);

/// Like conv2d_separable, but in a single launch without scratch memory: a thread convolves a row of four outputs, and adds
/// the result to the sums of the columns, which are held in registers. Every value is read once and written once.
///
/// @param in       rows * columns values, not modified; finite, see conv2d_fast
/// @param rows     0 or more
/// @param columns  0 or more
/// @param down     `width` values in *host* memory
/// @param across   `width` values in *host* memory
/// @param width    1 to kMaxWidth2d, odd or even
/// @param out      rows * columns values, every one written
/// @return cudaErrorInvalidValue for a width that does not fit
cudaError_t conv2d_separable_fused(const float* in, int rows, int columns, const float* down,
                                   const float* across, int width, float* out);

}  // namespace convolution
