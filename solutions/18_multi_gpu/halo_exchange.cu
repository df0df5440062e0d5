// 18_multi_gpu/halo_exchange: a plane on all devices; its exchange has priority, and hides.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests halo_exchange.cu
//        ../../tests/18_multi_gpu/halo_exchange_test.cu -o halo_exchange
// Run:   ./halo_exchange
//
//   v2  relax: computes and sends the border rows first, and computes the interior during the copies; open_streams: its streams

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/device_guard.hpp"
#include "kit.cuh"

namespace multi_gpu {

/// Computes `count` rows, starting at row `first`.
__global__ void relax_rows(const unsigned* now, unsigned* next, int first, int count, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count * columns) return;
    int column = i % columns;
    int at = (first + i / columns) * columns + column;
    unsigned left = column > 0 ? now[at - 1] : 0u;
    unsigned right = column < columns - 1 ? now[at + 1] : 0u;
    next[at] = 3u * now[at] + now[at - columns] + now[at + columns] + left + right;
}

/// Computes rows of one part in one of its streams; its device must be the current one.
void launch_rows(const Part& part, int step, int first, int count, cudaStream_t stream) {
    relax_rows<<<kit::ceil_div(count * part.columns, kBlock), kBlock, 0, stream>>>(
        part.plane[step % 2], part.plane[1 - step % 2], first, count, part.columns);
    CUDA_CHECK_LAUNCH();
}

/// Returns the neighbour of parts[mine] on this side, or a null pointer if there is none.
const Part* neighbour(const Part* parts, int count, int mine, int side) {
    int other = side == kAbove ? mine - 1 : mine + 1;
    return other >= 0 && other < count ? parts + other : nullptr;
}

// v2: like computing all rows and then sending, but the rows to send are computed first.
// Cost    : one launch more for each neighbour and step; the copies are hidden if part.edge has priority.
// Requires: a copy into a halo row runs after the last kernel on the other device that read the row's previous values.
// Next    : sums instead of rows: a library does this; see the lecture.
// [relax]
void relax(const Part* parts, int count, int steps) {
    DeviceGuard guard;  // this function makes other devices current
    for (int step = 0; step < steps; ++step) {
        for (int mine = 0; mine < count; ++mine) {
            const Part& part = parts[mine];
            for (int side : {kAbove, kBelow}) {
                const Part* other = neighbour(parts, count, mine, side);
                if (!other || step == 0) continue;

                // TODO(1): The border row of this side depends on the row that this neighbour sent in the previous step, and on the
                // adjacent row of the interior. Let part.edge[side] wait for both. 2 lines.
                // BEGIN SOLUTION 1
                CUDA_CHECK(cudaStreamWaitEvent(part.edge[side], other->sent[1 - side], 0));
                CUDA_CHECK(cudaStreamWaitEvent(part.edge[side], part.inside, 0));
                // STARTER KIT_TODO(1, part, side, other);
                // END SOLUTION 1

                // TODO(2): Let part.interior wait for the border row that the previous step computed on this side. 1 line.
                // BEGIN SOLUTION 2
                CUDA_CHECK(cudaStreamWaitEvent(part.interior, part.sent[side], 0));
                // STARTER KIT_TODO(2, part, side);
                // END SOLUTION 2
            }
        }
        for (int mine = 0; mine < count; ++mine) {
            const Part& part = parts[mine];
            CUDA_CHECK(cudaSetDevice(part.device));
            for (int side : {kAbove, kBelow}) {
                const Part* other = neighbour(parts, count, mine, side);
                if (!other) continue;

                // TODO(3): In part.edge[side]: compute the border row of this side, copy it into the neighbour's halo in the plane
                // that this step writes, and record part.sent[side]. About 8 lines.
                // BEGIN SOLUTION 3
                int border = side == kAbove ? 1 : part.rows;
                int halo_there = side == kAbove ? other->rows + 1 : 0;
                launch_rows(part, step, border, 1, part.edge[side]);
                CUDA_CHECK(cudaMemcpyPeerAsync(other->plane[1 - step % 2] + halo_there * part.columns,
                                               other->device,
                                               part.plane[1 - step % 2] + border * part.columns, part.device,
                                               part.columns * sizeof(unsigned), part.edge[side]));
                CUDA_CHECK(cudaEventRecord(part.sent[side], part.edge[side]));
                // STARTER KIT_TODO(3, part, side, other);
                // END SOLUTION 3
            }

            // TODO(4): In part.interior: compute all other rows of this part, and record part.inside. About 4 lines.
            // BEGIN SOLUTION 4
            int first = neighbour(parts, count, mine, kAbove) ? 2 : 1;
            int last = neighbour(parts, count, mine, kBelow) ? part.rows - 1 : part.rows;
            launch_rows(part, step, first, last - first + 1, part.interior);
            CUDA_CHECK(cudaEventRecord(part.inside, part.interior));
            // STARTER KIT_TODO(4, part, launch_rows);
            // END SOLUTION 4
        }
    }
}
// [/relax]

// [streams]
void open_streams(Part& part) {
    DeviceGuard guard;  // this function makes another device current

    // TODO(5): Create the three streams, so that the border rows need not wait for places that the interior takes. About 6 lines.
    // BEGIN SOLUTION 5
    CUDA_CHECK(cudaSetDevice(part.device));
    int lowest = 0, highest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&part.interior, cudaStreamNonBlocking, lowest));
    for (cudaStream_t& edge : part.edge)
        CUDA_CHECK(cudaStreamCreateWithPriority(&edge, cudaStreamNonBlocking, highest));
    // STARTER KIT_TODO(5, part);
    // END SOLUTION 5
}
// [/streams]

}  // namespace multi_gpu
