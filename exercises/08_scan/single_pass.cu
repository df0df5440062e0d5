// 08_scan/single_pass: the exclusive scan of an array in one launch, each element read and written once.
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
constexpr int kRow = 32 * 4;            // elements that a warp loads at once
constexpr int kSegment = kRow * kRows;  // elements per warp, one behind the other
constexpr unsigned int all_lanes = 0xffffffffu;
static_assert(kPassTile == kWarps * kSegment && kPassSegment == kSegment, "a block takes one tile");
static_assert(kWarps <= 32, "one warp scans one value per warp");

__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        int before = __shfl_up_sync(all_lanes, value, offset);
        if (lane >= offset) value += before;
    }
    return value;
}

}  // namespace

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(all_lanes, value, offset);
    return value;
}

/// A word is all that one block tells another: status and value come together, so no order with other memory
/// is needed. It must be atomic, or the compiler may read it once and never again, or in halves.
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
/// What 32 tiles have told: lane 0 gets the word of tile `nearest`, lane 1 that of the tile before it, and so on. What lies
/// before tile 0 counts as a prefix of 0. Called by one warp.
__device__ Word answers(Word* words, int nearest, unsigned int call) {
    int mine = nearest - static_cast<int>(threadIdx.x % 32);
    Word word = make_word(call, Status::prefix, 0);
    // TODO(1): Ask, and as long as not all 32 lanes have something to say in this call, sleep a little (__nanosleep(20)) and
    // ask again. About 5 lines; ask, status_of.
    KIT_TODO(1, words, mine);
    return word;
}

/// The sum of all tiles before `tile`, in every lane. Called by one warp.
__device__ int sum_before(Word* words, int tile, unsigned int call) {
    int lane = threadIdx.x % 32;
    int sum = 0;
    // TODO(2): Get the answers of 32 tiles at a time. Add up the values of the lanes up to the first prefix, or of all 32 if
    // there is none. At a prefix end, otherwise go on with the 32 tiles before. About 7 lines; answers, warp_sum.
    KIT_TODO(2, words, tile, call, lane);
    return sum;
}
// [/look_back]

/// What a block has drawn.
struct Ticket {
    int tile;           ///< smaller ones belong to blocks that have started before
    unsigned int call;  ///< number of this call, modulo 2^30
};

/// Draws a tile for the block. Called by all of its threads, once; all of them get the same.
// [ticket]
__device__ Ticket draw(PassWorkspace workspace) {
    __shared__ Word drawn;
    // TODO(3): Thread 0 draws a ticket (atomicAdd of 1 to *workspace.ticket) and puts what it gets into `drawn`.
    // The block that draws the last of gridDim.x tickets prepares the next call: another atomicAdd makes
    // the lower half 0 and the upper half one more. All threads get tile (lower half) and call (upper half,
    // the lower 30 bits of it). About 8 lines.
    int tile = blockIdx.x;
    unsigned int call = 0;
    KIT_TODO(3, drawn, workspace);
    return {tile, call};
}
// [/ticket]

/// Scans a warp's segment: offsets[k] becomes the sum of all that lies before row k and this lane's vector in it. Returns the
/// sum of the segment, in every lane. Called by whole warps.
// [rows]
__device__ int scan_rows(const int4 (&rows)[kRows], int (&offsets)[kRows]) {
    int segment_sum = 0;
    // TODO(4): For each row: scan the sums of its 32 vectors with warp_scan; offsets[k] is the exclusive scan,
    // behind all rows before; segment_sum becomes the sum of all rows (lane 31 has a row's). About 7 lines.
    for (int k = 0; k < kRows; ++k) offsets[k] = 0;
    KIT_TODO(4, rows, warp_scan(0));
    return segment_sum;
}
// [/rows]

namespace {

/// This thread's vectors: row k of the warp's segment holds 32 vectors, one per lane. `whole`: all of the tile
/// exists and both arrays are aligned.
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

/// Row k becomes its own exclusive scan, behind before + offsets[k].
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

// v8: a tile that is scanned on chip needs only one number from outside, the sum of all tiles before. Each block
//     tells its own sum at once, and looks back at what those before it have told.
// Mapping : one block per tile, in the order of the tickets; 1536 neighbouring elements per warp.
// Cost    : every element is read and written once, 16 bytes at a time; 3 barriers per tile of 12288 elements.
// Requires: the workspace as the contract says; blocks that wait only wait for blocks that are running.
// Next    : it waits while the sums of earlier tiles arrive; see v10 in lectures/08_scan/prefetched.cuh.
__global__ void __launch_bounds__(kThreads, 4)
    single_pass_v8(const int* in, int n, int* out, PassWorkspace workspace, bool aligned) {
    __shared__ int warp_starts[kWarps];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // 1. The tile: blocks that draw a later ticket may wait for this one, and it is running.
    const auto [tile, call] = draw(workspace);

    // [tile]
    // 2. All loads, one behind the other. offsets[k]: the sum of the warp's segment before row k and this lane.
    bool whole = aligned && (tile + 1) * std::int64_t{kPassTile} <= n;
    int first = tile * kPassTile + warp * kSegment + lane * 4;
    int4 rows[kRows];
    int offsets[kRows];
    load_rows(in, first, n, whole, rows);
    int segment_sum = scan_rows(rows, offsets);
    if (lane == 0) warp_starts[warp] = segment_sum;
    __syncthreads();  // the first warp reads what all warps wrote

    // 3. warp_starts[w] becomes the sum of all elements before warp w's: in this tile, and in all tiles before.
    // TODO(5): The first warp scans the sums of the warps. Lane 0 tells the sum of this tile (an aggregate); the warp looks
    // back (sum_before); lane 0 tells the prefix. Tile 0 has nothing to look back at: its sum is a prefix. About 12 lines;
    // warp_scan, tell, make_word.
    KIT_TODO(5, tile, call);
    __syncthreads();  // all warps read what the first one wrote

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

#include "08_scan/single_pass_parts.cuh"  // the parts by themselves, for the grader
