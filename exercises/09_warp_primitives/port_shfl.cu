// 09_warp_primitives/port_shfl: three kernels of 2012, with masks and with groups.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests port_shfl.cu
//        ../../tests/09_warp_primitives/port_shfl_test.cu -o port_shfl
// Run:   ./port_shfl
//
//   v1  warp_sums_v1: all lanes stay, including lanes without an element
//   v2  differences_v2: some lanes leave, and the mask names the lanes that stay
//   v3  tile_maxima_v3: a group of cooperative groups knows its own lanes

#include <cooperative_groups.h>

#include <climits>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "kit.cuh"

namespace warp_primitives {

namespace cg = cooperative_groups;

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;

// v1: sums of 32 neighbours. The old code, for GPUs before 2017:
//
//     if (i >= n) return;
//     int value = in[i];
//     for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down(value, offset);
//
// Mapping : one thread per element.
// Cost    : 1 load per element, 5 shuffles per warp.
// Requires: whole warps in a block; n may be ragged.
// Next    : here every lane stays; what if some lanes have left? see v2.
// [warp_sums]
__global__ void warp_sums_v1(const int* in, int n, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(1): Let all 32 lanes stay, and take part in every step: __shfl_down_sync(all_lanes, value, offset). Which value does
    // a lane without an element add? In each warp that has elements, let the first lane write the sum. About 5 lines.
    KIT_TODO(1, in, n, sums, i);
}
// [/warp_sums]

// v2: differences from the left neighbour. The old code:
//
//     if (i >= n) return;
//     int before = __shfl_up(in[i], 1);
//
// Mapping : one thread per element.
// Cost    : 1 load per element, 1 vote and 1 shuffle per warp.
// Requires: whole warps in a block; n may be ragged.
// Next    : it is easy to get a hand-written mask wrong; a group has its own mask, see v3.
// [differences]
__global__ void differences_v2(const int* in, int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(2): Before any lane leaves, let all lanes vote on whether they stay: __ballot_sync(all_lanes, ...). 1 line.
    unsigned int staying = 0;
    KIT_TODO(2, staying);
    if (i >= n) return;
    int value = in[i];
    // TODO(3): Read the value of the left neighbour lane, with a mask that names the lanes that stayed. Write the difference, or
    // the value itself if the warp has no lane to the left. 2 lines.
    KIT_TODO(3, value, out, staying);
}
// [/differences]

// v3: the largest of 8 neighbours, for all 8. The old code:
//
//     if (i >= n) return;
//     int value = in[i];
//     for (int offset = 4; offset > 0; offset /= 2) value = max(value, __shfl_xor(value, offset, 8));
//
// Mapping : one thread per element, a tile of 8 lanes per 8 elements.
// Cost    : 1 load per element, 3 shuffles per warp.
// Requires: whole warps in a block; n may be ragged.
// Next    : lanes can also vote; see v4.
// [tile_maxima]
__global__ void tile_maxima_v3(const int* in, int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
    // TODO(4): Do the same with the tile's own tile.shfl_xor(value, offset). It takes no mask, because a group knows
    // its lanes. All lanes of the tile must call it. About 5 lines.
    KIT_TODO(4, in, n, out, i, tile);
}
// [/tile_maxima]

void warp_sums(const int* in, int n, int* sums) {
    if (n == 0) return;
    warp_sums_v1<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, sums);
    CUDA_CHECK_LAUNCH();
}

void differences(const int* in, int n, int* out) {
    if (n == 0) return;
    differences_v2<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

void tile_maxima(const int* in, int n, int* out) {
    if (n == 0) return;
    tile_maxima_v3<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warp_primitives
