// 14_graphs/jacobi: the temperatures of a plate whose edge is kept as it is, by one graph that is launched until they settle.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests jacobi.cu
//        ../../tests/14_graphs/jacobi_test.cu -o jacobi
// Run:   ./jacobi
//
//   v9  jacobi: copies, kernels, graph and checks, from nothing but the specification

#include <utility>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
#include "kit.cuh"

namespace graphs {

// BEGIN SOLUTION 0
constexpr int kAcross = 32, kDown = 8;  // threads of a block: a warp is a row of it

// v9: every inner value becomes the mean of its four neighbours.
// Mapping : one thread per value, blocks of 32 x 8.
// Cost    : 1 global write per value; most of the 4 reads come from the caches; with `change` one atomic per warp.
// Requires: the edge stands in both arrays.
// [step]
__global__ void jacobi_step(const float* from, float* to, int rows, int columns, unsigned int* change) {
    int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    float moved = 0;
    if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1) {
        int i = y * columns + x;
        float mean = 0.25f * (from[i - columns] + from[i + columns] + from[i - 1] + from[i + 1]);
        moved = fabsf(mean - from[i]);
        to[i] = mean;
    }
    if (change == nullptr) return;
    for (int offset = 16; offset > 0; offset /= 2)
        moved = fmaxf(moved, __shfl_xor_sync(0xffffffffu, moved, offset));
    if (threadIdx.x == 0)
        atomicMax(change, __float_as_uint(moved));  // floats from 0 on are ordered as their bits are
}
// [/step]

// END SOLUTION 0
// [host]
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps) {
    Settled settled = {0, 0};
    // TODO(1): The kernel or kernels, above, and what they need: memory, a stream, the values of the host. About 25 lines.
    // BEGIN SOLUTION 1
    if (rows < 3 || columns < 3 || most_steps == 0) return settled;
    std::size_t bytes = static_cast<std::size_t>(rows) * columns * sizeof(float);
    float *now = nullptr, *next = nullptr;
    unsigned int* change = nullptr;
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaMalloc(&now, bytes));
    CUDA_CHECK(cudaMalloc(&next, bytes));
    CUDA_CHECK(cudaMalloc(&change, sizeof *change));
    for (float* array : {now, next})  // nobody computes the edge, and both are read
        CUDA_CHECK(cudaMemcpyAsync(array, grid, bytes, cudaMemcpyHostToDevice, stream));
    // STARTER KIT_TODO(1, grid, rows, columns, most_steps);
    // END SOLUTION 1

    // TODO(2): One graph of check_every steps, the last of which tells its change; and one instance of it. It must be
    // right to launch it again and again, whatever check_every is. About 14 lines.
    // BEGIN SOLUTION 2
    dim3 block(kAcross, kDown), blocks(kit::ceil_div(columns, kAcross), kit::ceil_div(rows, kDown));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMemsetAsync(change, 0, sizeof *change, stream));
    float *from = now, *to = next;
    for (int step = 1; step <= check_every; ++step) {
        jacobi_step<<<blocks, block, 0, stream>>>(from, to, rows, columns,
                                                  step == check_every ? change : nullptr);
        CUDA_CHECK(cudaGetLastError());
        std::swap(from, to);
    }
    // The next launch reads `now` first.
    if (from != now) CUDA_CHECK(cudaMemcpyAsync(now, from, bytes, cudaMemcpyDeviceToDevice, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    // STARTER KIT_TODO(2, check_every);
    // END SOLUTION 2

    // TODO(3): Launch it until the values have settled or most_steps are done, one launch and one look at the change at a
    // time. The values go back to the host, and nothing is left behind. About 14 lines.
    // BEGIN SOLUTION 3
    do {
        CUDA_CHECK(cudaGraphLaunch(exec, stream));
        CUDA_CHECK(cudaMemcpyAsync(&settled.change, change, sizeof *change, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        settled.steps += check_every;
    } while (settled.change > tolerance && settled.steps < most_steps);
    CUDA_CHECK(cudaMemcpyAsync(grid, now, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(now));
    CUDA_CHECK(cudaFree(next));
    CUDA_CHECK(cudaFree(change));
    CUDA_CHECK(cudaStreamDestroy(stream));
    // STARTER KIT_TODO(3, tolerance);
    // END SOLUTION 3
    return settled;
}
// [/host]

}  // namespace graphs
