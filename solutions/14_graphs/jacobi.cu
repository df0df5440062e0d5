// 14_graphs/jacobi: a solver from its specification alone.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests jacobi.cu
//        ../../tests/14_graphs/jacobi_test.cu -o jacobi
// Run:   ./jacobi
//
//   v9  jacobi: copies, kernels, graph and checks, written from the specification alone

#include <utility>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

// BEGIN SOLUTION 0
constexpr int kAcross = 32, kDown = 8;  // threads of a block; each warp is one row

// v9: every inner value becomes the mean of its four neighbours.
// Mapping : one thread per value, blocks of 32 x 8.
// Cost    : 1 global write per value; most of the 4 reads come from the caches; with `change` one atomic per warp.
// Requires: both arrays contain the edge.
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
        atomicMax(change, __float_as_uint(moved));  // floats >= 0 have the order of their bits
}
// [/step]

// END SOLUTION 0
// [host]
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps) {
    Settled settled = {0, 0};
    // TODO(1): Write the kernels above. Set up memory, a stream, and the values of the host here. 11 lines, without the kernels.
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
    for (float* array : {now, next})  // no kernel writes the edge; both are read
        CUDA_CHECK(cudaMemcpyAsync(array, grid, bytes, cudaMemcpyHostToDevice, stream));
    // STARTER KIT_TODO(1, grid, rows, columns, most_steps);
    // END SOLUTION 1

    // TODO(2): Build one graph of check_every steps, the last of which reports its change, and one instance of it. Repeated
    // launches must be correct for every value of check_every. About 16 lines.
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

    // TODO(3): Launch it until the values have settled or most_steps are done, and read the change after each launch. Then
    // copy the values to the host, and free everything. About 14 lines.
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
