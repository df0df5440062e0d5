// 03_memory_access/coalesce: coalesced accesses for a slow kernel.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests coalesce.cu
//        ../../tests/03_memory_access/coalesce_test.cu -o coalesce
// Run:   ./coalesce
//
//   v2  row_per_thread_v2  one thread per row: the lanes of a warp are one row apart (given)
//   v3  coalesced_v3       like v2, but the lanes of a warp access neighbours in a row

#include <algorithm>

#include "03_memory_access/03_memory_access.hpp"
#include "kit.cuh"

namespace memory_access {

// v2: each thread processes its own row.
// Mapping : one thread per row; in each step the 32 lanes of a warp access 32 different rows.
// Cost    : 32 sectors for the 32 values of a request, although 4 sectors could hold them.
// Requires: nothing.
// Next    : assign the values to the lanes in a different way; see v3.
// [v2]
__global__ void row_per_thread_v2(const float* in, const float* factor, std::size_t rows, std::size_t columns,
                                  float* out) {
    std::size_t r = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (r >= rows) return;
    for (std::size_t c = 0; c < columns; ++c) out[r * columns + c] = factor[r] * in[r * columns + c];
}
// [/v2]

void scale_rows_slow(const float* in, const float* factor, std::size_t rows, std::size_t columns,
                     float* out) {
    if (rows == 0 || columns == 0) return;
    auto blocks = static_cast<unsigned int>(kit::ceil_div(rows, std::size_t{kBlock}));
    row_per_thread_v2<<<blocks, kBlock>>>(in, factor, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

// v3: like v2, but threadIdx.x, which counts lanes, moves along the row.
// Mapping : a block has kWide lanes along the row and kHigh rows; blocks stride over the rows.
// Cost    : 4 sectors per request (5 if a row does not begin at a sector), and 1 for the factor, which all lanes share.
// Requires: blockDim = (kWide, kHigh).
// Next    : with 4 bytes per lane, few bytes are in flight; see v6.
constexpr int kWide = 32;
constexpr int kHigh = 8;

// [v3]
__global__ void coalesced_v3(const float* in, const float* factor, std::size_t rows, std::size_t columns,
                             float* out) {
    // TODO(1): Compute this thread's column and first row. Then stride over the rows by gridDim.y * kHigh. About 6 lines.
    KIT_TODO(1, in, factor, rows, columns, out);
}
// [/v3]

// [launch]
void scale_rows(const float* in, const float* factor, std::size_t rows, std::size_t columns, float* out) {
    if (rows == 0 || columns == 0) return;
    // TODO(2): Launch a grid over the columns (x) and the rows (y). A grid can have at most 65,535 blocks in y. About 6 lines.
    KIT_TODO(2, in, factor, rows, columns, out, kWide, kHigh);
}
// [/launch]

}  // namespace memory_access
