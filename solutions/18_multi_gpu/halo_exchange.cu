// 18_multi_gpu/halo_exchange: a plane of cells on two GPUs; the rows at the border travel while the rest is computed.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests halo_exchange.cu
//        ../../tests/18_multi_gpu/halo_exchange_test.cu -o halo_exchange
// Run:   ./halo_exchange
//
//   v2  relax: the border row first and on its way, the interior beside it

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "kit.cuh"

namespace multi_gpu {

/// `count` rows from row `first` on.
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

// v2: like computing all and then sending, but what is sent is computed first.
// Cost    : two launches for each half and step instead of one; the copy hides, if half.edge has priority.
// Requires: a copy into a halo comes after the last kernel that read the row before it, on the other device.
// Next    : more than two, and sums instead of rows: a library knows how; see the lecture.
// [relax]
void relax(const Half& top, const Half& bottom, int steps) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    const Half* halves[] = {&top, &bottom};
    // The row that the other half needs, and where the other half keeps it.
    int border[] = {top.rows, 1};
    int halo_there[] = {0, top.rows + 1};
    for (int step = 0; step < steps; ++step) {
        for (int mine = 0; mine < 2; ++mine) {
            const Half& half = *halves[mine];

            // TODO(1): From step 1 on, the border row needs what the other half has sent in the step before, and the
            // interior row beside it. 4 lines, in half.edge.
            // BEGIN SOLUTION 1
            if (step > 0) {
                CUDA_CHECK(cudaStreamWaitEvent(half.edge, halves[1 - mine]->sent, 0));
                CUDA_CHECK(cudaStreamWaitEvent(half.edge, half.inside, 0));
            }
            // STARTER KIT_TODO(1, half, step);
            // END SOLUTION 1

            // TODO(2): From step 1 on, the interior needs the border row of the step before. 1 line, in half.interior.
            // BEGIN SOLUTION 2
            if (step > 0) CUDA_CHECK(cudaStreamWaitEvent(half.interior, half.sent, 0));
            // STARTER KIT_TODO(2, half, step);
            // END SOLUTION 2
        }
        for (int mine = 0; mine < 2; ++mine) {
            const Half& half = *halves[mine];
            const Half& other = *halves[1 - mine];
            CUDA_CHECK(cudaSetDevice(half.device));

            // TODO(3): Compute the border row, send it into the other's halo of the plane that this step writes, and say so:
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

            // TODO(4): Compute all other own rows, and say so: half.inside. 2 lines, in half.interior.
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

}  // namespace multi_gpu
