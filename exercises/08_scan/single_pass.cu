// 08_scan/single_pass: a scan in one launch, with decoupled look-back.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests single_pass.cu
//        ../../tests/08_scan/single_pass_test.cu -o single_pass
// Run:   ./single_pass
//
//   v8  single_pass_v8: tiles by ticket, 16-byte loads, warp scans in registers, decoupled look-back

#include <cstdint>
#include <cuda/atomic>

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

namespace {

constexpr int kThreads = kPassThreads;
constexpr int kWarps = kThreads / 32;
constexpr int kRows = 12;               // vectors of four elements per thread
constexpr int kRow = 32 * 4;            // elements that a warp loads with one instruction
constexpr int kSegment = kRow * kRows;  // consecutive elements that one warp takes
constexpr unsigned int all_lanes = 0xffffffffu;
static_assert(kPassTile == kWarps * kSegment && kPassSegment == kSegment, "a block takes one tile");
static_assert(kWarps <= 32, "one warp scans one value per warp");

__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int step = 0; step < 5; ++step) {
        int lower = __shfl_up_sync(all_lanes, value, 1 << step);
        value += lane >> step > 0 ? lower : 0;
    }
    return value;
}

}  // namespace

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(all_lanes, value, offset);
    return value;
}

/// A block publishes one word. Its status and value arrive together, so they need no ordering with other memory. The accesses
/// must be atomic; otherwise the compiler may load the word once and reuse it, or load it in two halves.
// [words]
using AtomicWord = cuda::atomic_ref<Word, cuda::thread_scope_device>;

__device__ void tell(Word& word, Word now) {
    AtomicWord(word).store(now, cuda::memory_order_relaxed);
}
__device__ Word ask(Word& word) {
    return AtomicWord(word).load(cuda::memory_order_relaxed);
}
// [/words]

// [look_back]
/// Returns the words of 32 tiles: lane 0 gets the word of tile `nearest`, lane 1 that of the previous tile, and so on. A lane
/// before tile 0 gets a prefix of 0. Called by one warp.
__device__ Word answers(Word* words, int nearest, unsigned int call) {
    int mine = nearest - static_cast<int>(threadIdx.x % 32);
    Word word = make_word(call, Status::prefix, 0);
    // TODO(1): Load the words. Until all 32 lanes have a word that was published in this call, sleep briefly (__nanosleep(20))
    // and load again. About 5 lines; use ask and status_of.
    KIT_TODO(1, words, mine);
    return word;
}

/// Returns the sum of all tiles before `tile`, in every lane. Called by one warp.
__device__ int sum_before(Word* words, int tile, unsigned int call) {
    int lane = threadIdx.x % 32;
    int sum = 0;
    // TODO(2): Get the words of 32 tiles at a time. Add up the values up to the first prefix, including it, or all 32 values if
    // there is none. After a prefix, stop; otherwise continue with the previous 32 tiles. About 7 lines; answers, warp_sum.
    KIT_TODO(2, words, tile, call, lane);
    return sum;
}
// [/look_back]

/// The ticket of a block.
struct Ticket {
    int tile;           ///< blocks with smaller tiles have already started
    unsigned int call;  ///< number of this call, modulo 2^30
};

/// Draws a tile for the block. All of its threads call it once, and all get the same result.
// [ticket]
__device__ Ticket draw(PassWorkspace workspace) {
    __shared__ Word drawn;
    // TODO(3): Let thread 0 draw a ticket (atomicAdd of 1 to *workspace.ticket) and put the result into `drawn`. The block
    // that draws the last of gridDim.x tickets prepares the next call: a second atomicAdd sets the lower half to 0 and
    // increases the upper half by 1. All threads get the tile (the lower half) and the call (the lower 30 bits of the
    // upper half). About 8 lines.
    int tile = blockIdx.x;
    unsigned int call = 0;
    KIT_TODO(3, drawn, workspace);
    return {tile, call};
}
// [/ticket]

/// Scans a warp's segment: sets offsets[k] to the sum of all elements of the segment before this lane's vector in row k.
/// Returns the sum of the segment, in every lane. Called by whole warps.
// [rows]
__device__ int scan_rows(const int4 (&rows)[kRows], int (&offsets)[kRows]) {
    int segment_sum = 0;
    // TODO(4): For each row, scan the sums of its 32 vectors with warp_scan. offsets[k] is the exclusive scan plus the sum of all
    // earlier rows. segment_sum becomes the sum of all rows; lane 31 has the sum of a row. About 7 lines.
    for (int k = 0; k < kRows; ++k) offsets[k] = 0;
    KIT_TODO(4, rows, warp_scan(0));
    return segment_sum;
}
// [/rows]

namespace {

/// Loads this thread's vectors: row k of the warp's segment holds 32 vectors, one per lane. `whole` means that the whole
/// tile exists and that both arrays are aligned.
__device__ void load_rows(const int* in, int first, int n, bool whole, int4 (&rows)[kRows]) {
    if (whole) {
#pragma unroll
        for (int k = 0; k < kRows; ++k) rows[k] = *reinterpret_cast<const int4*>(in + first + k * kRow);
    } else {
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            int i = first + k * kRow;
            rows[k] = {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                       i + 3 < n ? in[i + 3] : 0};
        }
    }
}

/// Stores the exclusive scan of each row k, with before + offsets[k] added to it.
__device__ void store_rows(int* out, int first, int n, bool whole, const int4 (&rows)[kRows],
                           const int (&offsets)[kRows], int before) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        int i = first + k * kRow;
        int4 result;
        result.x = before + offsets[k];
        result.y = result.x + rows[k].x;
        result.z = result.y + rows[k].y;
        result.w = result.z + rows[k].z;
        if (whole) {
            *reinterpret_cast<int4*>(out + i) = result;
        } else {
            if (i < n) out[i] = result.x;
            if (i + 1 < n) out[i + 1] = result.y;
            if (i + 2 < n) out[i + 2] = result.z;
            if (i + 3 < n) out[i + 3] = result.w;
        }
    }
}

}  // namespace

// v8: to scan a tile on chip, a block needs only one number from outside: the sum of all earlier tiles. Each block
//     publishes its own sum immediately, and looks back at the words that earlier tiles have published.
// Mapping : one block per tile, in the order of the tickets; 1536 neighbouring elements per warp.
// Cost    : every element is read and written once, 16 bytes at a time; 3 barriers per tile of 12288 elements.
// Requires: the workspace as described in the contract; blocks wait only for blocks that are already running.
// Next    : a block waits until the sums of earlier tiles arrive; see v10 in lectures/08_scan/prefetched.cuh.
__global__ void __launch_bounds__(kThreads, 4)
    single_pass_v8(const int* in, int n, int* out, PassWorkspace workspace, bool aligned) {
    __shared__ int warp_starts[kWarps];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // 1. Draw the tile. Blocks with later tickets may wait for this block, which is already running.
    auto [tile, call] = draw(workspace);

    // [tile]
    // 2. Issue all loads, one after another. offsets[k] is the sum of the warp's segment before this lane's vector in row k.
    bool whole = aligned && (tile + 1) * std::int64_t{kPassTile} <= n;
    int first = tile * kPassTile + warp * kSegment + lane * 4;
    int4 rows[kRows];
    int offsets[kRows];
    load_rows(in, first, n, whole, rows);
    int segment_sum = scan_rows(rows, offsets);
    if (lane == 0) warp_starts[warp] = segment_sum;
    __syncthreads();  // the first warp reads the sums that all warps wrote

    // 3. Set warp_starts[w] to the sum of all elements before those of warp w, in this tile and in all earlier tiles.
    // TODO(5): Let the first warp scan the sums of the warps. Lane 0 publishes the sum of this tile (an aggregate), the warp
    // looks back (sum_before), and lane 0 publishes the prefix. Tile 0 has no earlier tile: its sum is a prefix. About 12 lines;
    // use warp_scan, tell and make_word.
    KIT_TODO(5, tile, call);
    __syncthreads();  // all warps read the starts that the first warp wrote

    store_rows(out, first, n, whole, rows, offsets, warp_starts[warp]);
    // [/tile]
}

void single_pass(const int* in, int n, int* out, PassWorkspace workspace) {
    if (n == 0) return;
    bool aligned = (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % 16 == 0;
    single_pass_v8<<<kit::ceil_div(n, kPassTile), kThreads>>>(in, n, out, workspace, aligned);
    CUDA_CHECK_LAUNCH();
}

}  // namespace scan

#include "08_scan/single_pass_parts.cuh"  // lets the grader test each part by itself
