// The contract of topic 11_async_copy: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 11: from global to shared memory without a register, and without waiting. Groups, pipelines, barriers, bulk copies.
///
/// Unless said otherwise every pointer is *device* memory, every function only launches (it may return before the kernels have
/// run), and an error of a launch ends the program (CUDA_CHECK_LAUNCH). For n = 0 nothing is launched.
///
/// **Rings.** All exercises compute the same: `in` is cut into tiles of kTile elements, of which the last one may have fewer. A
/// tile is a ring: behind its last element comes its first. Each element of `out` is the weighted sum of the `window` elements
/// of the ring that begin at its place,
///
///     out[i] = weight(0) * ring[i] + weight(1) * ring[i + 1] + ... + weight(window - 1) * ring[i + window - 1]
///
/// modulo 2^32. The window may be longer than the ring: then it goes round more than once. A block keeps its tile in shared memory, as
/// every element is read `window` times; the more, the more arithmetic there is for a byte.
///
/// **Asynchronous** means that every byte of `in` is copied so, once. **Overlap**: when a block waits for a tile it has begun to copy
/// its next one. **Bulk**: a tile is one copy, begun by one thread. **Work during the copy**: the block stores to shared memory while
/// its first copy is in flight. A barrier is set up by one thread.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - replace_copy: asynchronous
///   - two_stage_pipeline: asynchronous, overlap
///   - barrier_token: asynchronous, work during the copy
///   - tma_bulk: asynchronous, bulk
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace staging {

/// Elements of a tile: 4 KB.
constexpr int kTile = 1024;

/// Threads per block.
constexpr int kBlock = 256;

/// The weight of the k-th element of a window, where an exercise has weights; all are 1 where it does not.
__host__ __device__ constexpr unsigned int weight(int k) {
    return 2u * static_cast<unsigned int>(k) + 1u;
}

/// Window sums, with a loop that loads each element into a register and stores it to shared memory: right, and given, to be
/// compared with. One block for each tile; all weights are 1.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
void load_and_store(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// The same with an asynchronous copy in place of the loop.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
void replace_copy(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// The same with few blocks, each of which has one tile after another: while it computes one, the next is under way.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
/// @param blocks  1 or more, perhaps more than there are tiles; block b has the tiles b, b + blocks, b + 2 * blocks, ...
void two_stage_pipeline(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks);

/// Weighted window sums, with few blocks. Each block computes the weights of the window into shared memory while its first tile
/// is under way: it arrives at a barrier, works, and waits with the token that it got.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 to kTile
/// @param blocks  1 or more; block b has the tiles b, b + blocks, b + 2 * blocks, ...
void barrier_token(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks);

/// The same as replace_copy; each tile is one bulk copy, which the tensor memory accelerator makes.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more, a multiple of 4
/// @param out     n elements
/// @param window  1 or more
/// @return false, with nothing launched and `out` untouched, if the device has no bulk copies (its compute capability is less
///         than 9.0), whatever n is; otherwise true
bool tma_bulk(const unsigned int* in, std::size_t n, unsigned int* out, int window);

}  // namespace staging
