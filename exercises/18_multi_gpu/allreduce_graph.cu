// 18_multi_gpu/allreduce_graph: sums over all devices with NCCL, recorded in one graph.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests allreduce_graph.cu
//        ../../tests/18_multi_gpu/allreduce_graph_test.cu -lnccl -o allreduce_graph
// Run:   ./allreduce_graph
//
//   v4  all_reduce: the calls of all ranks in one group
//   v5  record_step, train: one graph contains one step of all GPUs

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/nccl_check.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace multi_gpu {

__global__ void make_gradient(const unsigned* samples, const unsigned* weights, unsigned* gradient,
                              unsigned* largest, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned local = i < n ? (2654435761u * (weights[i] ^ samples[i])) >> 12 : 0;
    if (i < n) gradient[i] = local;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    local = cg::reduce(warp, local, cg::greater<unsigned>());
    if (warp.thread_rank() == 0) atomicMax(largest, local);  // one atomic per warp
}

__global__ void apply(const unsigned* gradient, const unsigned* largest, unsigned* weights, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) weights[i] -= gradient[i] / (1 + *largest / 1024);
}

/// Queues the gradient of one rank in its stream. `largest` must be 0 before.
void queue_gradient(const Replica& own, int n) {
    CUDA_CHECK(cudaSetDevice(own.device));
    make_gradient<<<kit::ceil_div(n, kBlock), kBlock, 0, own.stream>>>(own.samples, own.weights, own.gradient,
                                                                       own.largest, n);
    CUDA_CHECK_LAUNCH();
}

/// Queues the new weights of one rank in its stream.
void queue_update(const Replica& own, int n) {
    CUDA_CHECK(cudaSetDevice(own.device));
    apply<<<kit::ceil_div(n, kBlock), kBlock, 0, own.stream>>>(own.gradient, own.largest, own.weights, n);
    CUDA_CHECK_LAUNCH();
}

// v4: NCCL's sum over all devices, called for all ranks by this one thread.
// Cost    : each device sends and receives 2 (ranks - 1) / ranks of its gradient.
// Requires: all ranks call the same collectives in the same order; they are in one group, so no call waits for a later one.
// Next    : a step takes many calls, and the host repeats them in each step; see v5.
// [all_reduce]
void all_reduce(const Replica* replicas, int ranks, int n) {
    // TODO(1): For each rank, in its stream, reduce in place: the sum of all gradients and the maximum of all `largest`, of type
    // ncclUint32. One thread calls for all ranks, so put all calls into one group. About 7 lines.
    KIT_TODO(1, replicas, ranks, n);
}
// [/all_reduce]

// v5: like v4 between two kernels, but recorded: the capture forks from rank 0 to all other ranks, and joins.
// Cost    : one launch by the host per step, regardless of the number of ranks and calls.
// Requires: each stream enters the capture through one event and returns through another; its device is current for a launch.
// Next    : the gradient is sent only when all of it has been computed; see bucketed_allreduce.cu.
// [record_step]
cudaGraph_t record_step(const Replica* replicas, int ranks, int n) {
    int current = 0;
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGetDevice(&current));
    const Replica& first = replicas[0];
    CUDA_CHECK(cudaSetDevice(first.device));
    CUDA_CHECK(cudaStreamBeginCapture(first.stream, cudaStreamCaptureModeThreadLocal));

    // TODO(2): Fork: let the streams of all other ranks join the capture. About 3 lines.
    KIT_TODO(2, first, ranks);

    // TODO(3): Queue the step of all ranks: their gradients, the collectives, and their new weights. The graph is launched many
    // times, so what must each launch do first? About 7 lines, with the functions above.
    KIT_TODO(3, n, queue_gradient, queue_update);

    // TODO(4): Join: let the stream of rank 0 wait for the last work of each other rank. About 4 lines.
    KIT_TODO(4, replicas, ranks);

    CUDA_CHECK(cudaStreamEndCapture(first.stream, &graph));
    CUDA_CHECK(cudaSetDevice(current));
    return graph;
}
// [/record_step]

// [train]
void train(const Replica* replicas, int ranks, int n, int steps) {
    cudaGraph_t graph = record_step(replicas, ranks, n);

    // TODO(5): Instantiate the graph once, launch it `steps` times in the stream of rank 0, and destroy both. About 5 lines.
    KIT_TODO(5, graph, steps);
}
// [/train]

}  // namespace multi_gpu
