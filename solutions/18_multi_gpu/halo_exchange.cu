// 18_multi_gpu/halo_exchange: a plane on two GPUs; its exchange has priority, and runs during the interior.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests halo_exchange.cu
//        ../../tests/18_multi_gpu/halo_exchange_test.cu -o halo_exchange
// Run:   ./halo_exchange
//
//   v2  relax: computes and sends the border row first, and computes the interior during the copy; open_streams: its streams

#include "18_multi_gpu/18_multi_gpu.hpp"
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

/// Computes rows of one half in one of its streams; its device must be the current one.
void launch_rows(const Half& half, int step, int first, int count, cudaStream_t stream) {
    relax_rows<<<kit::ceil_div(count * half.columns, kBlock), kBlock, 0, stream>>>(
        half.plane[step % 2], half.plane[1 - step % 2], first, count, half.columns);
    CUDA_CHECK_LAUNCH();
}

// v2: like computing all rows and then sending, but the row to send is computed first.
// Cost    : two launches per half and step instead of one; the copy is hidden if half.edge has priority.
// Requires: a copy into a halo row runs after the last kernel on the other device that read the row's previous values.
// Next    : more than two GPUs, and sums instead of rows: a library does this; see the lecture.
// [relax]
void relax(const Half& top, const Half& bottom, int steps) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    const Half* halves[] = {&top, &bottom};
    // The row that the other half needs, and the row in which the other half stores it.
    int border[] = {top.rows, 1};
    int halo_there[] = {0, top.rows + 1};
    for (int step = 0; step < steps; ++step) {
        for (int mine = 0; mine < 2; ++mine) {
            const Half& half = *halves[mine];

            // TODO(1): Starting at step 1, the border row depends on the row that the other half sent in the previous step, and
            // on the adjacent row of the interior. Let half.edge wait for both. 4 lines.
            // BEGIN SOLUTION 1
            if (step > 0) {
                CUDA_CHECK(cudaStreamWaitEvent(half.edge, halves[1 - mine]->sent, 0));
                CUDA_CHECK(cudaStreamWaitEvent(half.edge, half.inside, 0));
            }
            // STARTER KIT_TODO(1, half, step);
            // END SOLUTION 1

            // TODO(2): Starting at step 1, let half.interior wait for the border row of the previous step. 1 line.
            // BEGIN SOLUTION 2
            if (step > 0) CUDA_CHECK(cudaStreamWaitEvent(half.interior, half.sent, 0));
            // STARTER KIT_TODO(2, half, step);
            // END SOLUTION 2
        }
        for (int mine = 0; mine < 2; ++mine) {
            const Half& half = *halves[mine];
            const Half& other = *halves[1 - mine];
            CUDA_CHECK(cudaSetDevice(half.device));

            // TODO(3): Compute the border row, copy it into the other half's halo in the plane that this step writes, and record
            // half.sent. 6 lines, in half.edge.
            // BEGIN SOLUTION 3
            launch_rows(half, step, border[mine], 1, half.edge);
            CUDA_CHECK(cudaMemcpyPeerAsync(other.plane[1 - step % 2] + halo_there[mine] * half.columns,
                                           other.device,
                                           half.plane[1 - step % 2] + border[mine] * half.columns,
                                           half.device, half.columns * sizeof(unsigned), half.edge));
            CUDA_CHECK(cudaEventRecord(half.sent, half.edge));
            // STARTER KIT_TODO(3, half, other, border, halo_there, mine);
            // END SOLUTION 3

            // TODO(4): Compute all other rows of this half, and record half.inside. 2 lines, in half.interior.
            // BEGIN SOLUTION 4
            launch_rows(half, step, mine == 0 ? 1 : 2, half.rows - 1, half.interior);
            CUDA_CHECK(cudaEventRecord(half.inside, half.interior));
            // STARTER KIT_TODO(4, half, mine);
            // END SOLUTION 4
        }
    }
    CUDA_CHECK(cudaSetDevice(current));
}
// [/relax]

// [streams]
void open_streams(Half& half) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    // TODO(5): Create both streams, so that the border row need not wait for places that the interior takes. About 5 lines.
    // BEGIN SOLUTION 5
    CUDA_CHECK(cudaSetDevice(half.device));
    int lowest = 0, highest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&half.interior, cudaStreamNonBlocking, lowest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&half.edge, cudaStreamNonBlocking, highest));
    // STARTER KIT_TODO(5, half);
    // END SOLUTION 5
    CUDA_CHECK(cudaSetDevice(current));
}
// [/streams]

}  // namespace multi_gpu
