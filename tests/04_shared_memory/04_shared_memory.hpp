// The contract of topic 04_shared_memory: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 04: shared memory, its banks, and how to avoid bank conflicts.
///
/// What is counted, besides the values (on the CPU backend):
///   - conflict_degree: wavefronts
///   - transpose_naive: kernels, stores
///   - transpose_tiled: kernels, sectors, stores
///   - transpose_padded: kernels, sectors, stores, wavefronts
///   - transpose_swizzled: bytes of shared memory, kernels, sectors, stores, wavefronts
///   - opt_in: kernels, stores
///
/// What the host may compute: conflict_degree. In all other exercises, results count only if kernels have computed them.
namespace shared_memory {

// ---- conflict_degree ----

/// Number of banks of shared memory. Each bank is one word wide.
constexpr int kBanks = 32;
constexpr int kWordBytes = 4;

/// Threads of a warp.
constexpr int kLanes = 32;

/// One access of a warp to shared memory: a load or a store, of the same width in all lanes.
struct Access {
    int bytes;            ///< bytes that each lane loads or stores: 1, 2, 4, 8 or 16
    unsigned int active;  ///< bit l: lane l takes part; 0: no lane takes part
    int offset
        [kLanes];  ///< where, in bytes from the beginning of shared memory: 0 or more, a multiple of `bytes`.
                   ///< Of a lane that does not take part it may be anything
};

/// Returns the bank that holds the byte at this offset. Consecutive words are in consecutive banks, modulo kBanks.
///
/// @param offset  in bytes from the beginning of shared memory, 0 or more
/// @return        0 to kBanks - 1
int bank_of(int offset);

/// Returns the number of turns in which a group of lanes is served: the largest number of *different words* that the lanes request from
/// one bank. Lanes that request the same word are served at the same time. An access of 8 or 16 bytes requests 2 or 4 words.
///
/// @param access  the access of the whole warp
/// @param first   first lane of the group
/// @param count   lanes of the group: first to first + count - 1
/// @return        0 if none of them is active
int degree(const Access& access, int first, int count);

/// Returns the number of wavefronts of an access. Accesses of up to 4 bytes serve the whole warp together, accesses of 8 bytes
/// serve each half in turn, and accesses of 16 bytes serve each quarter in turn.
///
/// @return 0 if no lane is active
/// @note   an H200 needs fewer wavefronts in one case, which is left out here: a load of 8 or 16 bytes in which both lanes of each
///         pair (0 and 1, 2 and 3, ...) request the same words; see section 3 of the lecture
int wavefronts(const Access& access);

/// Every byte of an access has an offset below this.
constexpr int kSharedBytes = 16384;

/// Performs this access as a store of one warp, in a kernel that accesses no other shared memory. Given. At least one lane
/// is active. The executor counts the access, and so does a profiler.
void make_store(const Access& access);

// ---- the transposes ----

/// In the starters, a block of kTile * kBlockRows threads works on a tile of kTile * kTile elements. Another shape is allowed, as
/// long as what is counted stays within its limits.
constexpr int kTile = 64;
constexpr int kBlockRows = 8;

/// Transposes a matrix: out[column][row] = in[row][column].
///
/// All versions compute the same result. naive copies directly from global memory to global memory. tiled uses a tile in shared memory,
/// with whole sectors on both sides. padded and swizzled also avoid bank conflicts: padded with a padded tile, swizzled with a tile
/// of kTile * kTile elements in a different order.
///
/// tiled, padded, swizzled: if both sizes are multiples of kTile, no access to global memory takes more sectors than its bytes
/// need. padded, swizzled: no access to shared memory takes more wavefronts than it needs. swizzled: a block uses no more shared
/// memory than the tile needs.
///
/// @param in      rows * columns elements in device memory, row by row, not modified
/// @param rows    0 or more
/// @param columns 0 to 65,535 * kTile; rows * columns is less than 2^31. If rows or columns is 0, nothing happens
/// @param out     columns * rows elements in device memory, each written once; must not overlap `in`
/// @note  an error of the launch ends the program (CUDA_CHECK_LAUNCH)
void transpose_naive(const float* in, int rows, int columns, float* out);
void transpose_tiled(const float* in, int rows, int columns, float* out);
void transpose_padded(const float* in, int rows, int columns, float* out);
void transpose_swizzled(const float* in, int rows, int columns, float* out);

/// Returns the smallest length of a row of a tile, in elements, for which a warp reads a column of the tile with as few wavefronts as its
/// 32 elements allow. The tile begins in bank 0, and lane l reads element l of the column, which begins at an offset of `l * length`
/// elements. For transpose_padded; it runs on the host.
///
/// @param width  elements of a row that are used, 1 to 256; the result is not smaller
/// @param bytes  size of an element: 1, 2, 4, 8 or 16
int row_length(int width, int bytes);

// ---- opt_in ----

/// Returns the longest row, in floats, that a block of the current device can hold in shared memory if its kernel opts in to the
/// maximum.
int longest_row();

/// Permutes every row of a matrix in place: the new row[i] is the old row[order[i]]. One block holds one row in dynamic shared
/// memory.
///
/// @param data     rows * columns elements in device memory, each written once
/// @param rows     0 to 2^31 - 1
/// @param columns  0 or more; if rows or columns is 0, nothing happens
/// @param order    columns indices in device memory, each from 0 to columns - 1; not modified
/// @return cudaSuccess, or cudaErrorInvalidConfiguration if columns is more than longest_row(). In that case nothing is
///         launched, `data` is unchanged, and no error is left behind
/// @note  an error of the launch ends the program (CUDA_CHECK_LAUNCH)
cudaError_t permute_rows(float* data, int rows, int columns, const int* order);

}  // namespace shared_memory
