// The contract of topic 11_async_copy: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 11: copies from global to shared memory that need no registers and overlap with work. Copy groups, pipelines, barriers,
/// bulk copies.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before the kernels have
/// run), and an error of a launch ends the program (CUDA_CHECK_LAUNCH). For n = 0 nothing is launched.
///
/// **Rings.** All exercises compute the same result. `in` is cut into tiles of kTile elements; the last tile may have fewer. A
/// tile is a ring: its last element is followed by its first. Each element of `out` is the weighted sum of the `window` elements
/// of the ring that start at its position,
///
///     out[i] = weight(0) * ring[i] + weight(1) * ring[i + 1] + ... + weight(window - 1) * ring[i + window - 1]
///
/// modulo 2^32. The window may be longer than the ring; it then wraps around more than once. A block keeps its tile in shared memory,
/// because every element is read `window` times. A larger window means more arithmetic per byte.
///
/// **Asynchronous** means that every byte of `in` is copied asynchronously, and only once; in tma_bulk, all but the last n modulo 4
/// elements. **Overlap** means that when a block waits for a tile, or for half of one, it has already started the copy of its next tile
/// or half. **Bulk** means that each tile is one copy, issued by one thread. **Work during the copy** means that the block stores to
/// shared memory while its first copy is in flight. One thread initializes a barrier. **Wide** means that every copy has 16 bytes,
/// except for the last elements of a tile whose length is not a multiple of 4. The other exercises also accept copies of 4 bytes. **One
/// barrier** means that the threads of a block meet at most once per tile.
///
/// What is counted, besides the values (on the CPU backend):
///   - replace_copy: asynchronous, overlap
///   - two_stage_pipeline: asynchronous, overlap
///   - barrier_token: asynchronous, work during the copy
///   - three_stage_pipeline: asynchronous, one barrier, overlap, wide
///   - tma_bulk: asynchronous, bulk
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace staging {

/// Elements of a tile: 4 KB.
constexpr int kTile = 1024;

/// Threads per block.
constexpr int kBlock = 256;

/// Returns the weight of the k-th element of a window in exercises with weights. In the other exercises all weights are 1.
__host__ __device__ constexpr unsigned int weight(int k) {
    return 2u * static_cast<unsigned int>(k) + 1u;
}

/// Computes window sums with a loop that loads each element into a register and stores it to shared memory. One block per tile;
/// all weights are 1. Given, for comparison.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
void load_and_store(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// Does the same with an asynchronous copy instead of the loop.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
void replace_copy(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// Returns how many windows of a ring, starting with the one at element 0, need only the first `arrived` of its elements. It also runs on
/// the host.
///
/// @param count    elements of the ring, 1 or more
/// @param arrived  0 to count
/// @param window   1 or more
__host__ __device__ int windows_ready(int count, int arrived, int window);

/// Does the same as replace_copy, but copies the two halves of a tile one after another, and computes sums that need only the first half while the
/// second half is being copied. The first half of a tile has kTile / 2 elements, or all elements of a shorter tile.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
void half_by_half(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// Does the same with few blocks, each of which processes several tiles: while it computes one tile, the next is being copied.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
/// @param blocks  1 or more, can exceed the number of tiles; block b processes the tiles b, b + blocks, b + 2 * blocks, ...
void two_stage_pipeline(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks);

/// Computes weighted window sums with few blocks. While its first tile is being copied, each block computes the weights of the
/// window into shared memory: each thread arrives at a barrier, works, and then waits with the token that it received.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 to kTile
/// @param blocks  1 or more; block b processes the tiles b, b + blocks, b + 2 * blocks, ...
void barrier_token(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks);

/// Does the same as replace_copy; each tile is one bulk copy, performed by the tensor memory accelerator. If the length of the last
/// tile is not a multiple of 4, its last one to three elements are copied in a different way.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
/// @return false, with nothing launched and `out` unchanged, if the device does not support bulk copies (its compute capability is
///         less than 9.0), whatever n is; otherwise true
bool tma_bulk(const unsigned int* in, std::size_t n, unsigned int* out, int window);

/// Does the same as two_stage_pipeline with three stages: while it computes one tile, the next two are being copied.
///
/// @param in      n elements, not modified; aligned to 16 bytes
/// @param n       0 or more
/// @param out     n elements
/// @param window  1 or more
/// @param blocks  1 or more, can exceed the number of tiles; block b processes the tiles b, b + blocks, b + 2 * blocks, ...
void three_stage_pipeline(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks);

}  // namespace staging
