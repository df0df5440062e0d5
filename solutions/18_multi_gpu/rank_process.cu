// 18_multi_gpu/rank_process: one process per rank: its number, its graph, a time limit.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests rank_process.cu
//        ../../tests/18_multi_gpu/rank_process_test.cu -lnccl -o rank_process
// Run:   ./rank_process
//
//   v9  join_ranks, train_rank: like v5, but each process drives one device and records its own graph

#include <chrono>
#include <cstdlib>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/nccl_check.hpp"
#include "kit.cuh"

namespace multi_gpu {

__global__ void local_gradient(const unsigned* samples, const unsigned* weights, unsigned* gradient,
                               unsigned* largest, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    gradient[i] = (2654435761u * (weights[i] ^ samples[i])) >> 12;
    atomicMax(largest, gradient[i]);
}

__global__ void local_update(const unsigned* gradient, const unsigned* largest, unsigned* weights, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) weights[i] -= gradient[i] / (1 + *largest / 1024);
}

/// Returns the number in an environment variable, or -1 if it is not set.
int number_in(const char* name) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : -1;
}

// [find_rank]
Rank find_rank() {
    Rank mine = {0, 1, 0};
    // TODO(1): Look for the variables of the three launchers with number_in(). Which launcher must come first? About 6 lines.
    // BEGIN SOLUTION 1
    const char* variables[][3] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
        {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
        {"RANK", "WORLD_SIZE", "LOCAL_RANK"}};
    for (const auto& [rank, ranks, local] : variables)
        if (number_in(rank) >= 0) return {number_in(rank), number_in(ranks), number_in(local)};
    // STARTER KIT_TODO(1, number_in);
    // END SOLUTION 1
    return mine;
}
// [/find_rank]

// [join]
ncclComm_t join_ranks(const Rank& rank, const Share& share) {
    ncclComm_t comm = nullptr;
    // TODO(2): One rank creates a unique id, all ranks get a copy of it, and each initializes its communicator. About 5 lines.
    // BEGIN SOLUTION 2
    ncclUniqueId id = {};
    if (rank.rank == 0) NCCL_CHECK(ncclGetUniqueId(&id));
    share(&id, sizeof id);
    CUDA_CHECK(cudaSetDevice(rank.local));
    NCCL_CHECK(ncclCommInitRank(&comm, rank.ranks, id, rank.rank));
    // STARTER KIT_TODO(2, rank, share);
    // END SOLUTION 2
    return comm;
}
// [/join]

// v9: like v5, but the graph has one rank. No fork, no join, and no group for the calls of several ranks.
// Cost    : each process launches its own graph once per step.
// Requires: all ranks record the same collectives in the same order, and launch their graphs the same number of times.
// Next    : kernels that send data themselves; see put_signal.cu.
// [train]
void train_rank(const Replica& own, int n, int steps) {
    int blocks = kit::ceil_div(n, kBlock);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMemsetAsync(own.largest, 0, sizeof(unsigned), own.stream));
    local_gradient<<<blocks, kBlock, 0, own.stream>>>(own.samples, own.weights, own.gradient, own.largest, n);
    CUDA_CHECK_LAUNCH();

    // TODO(3): Record the sum of the gradients and the maximum of `largest`, both of type ncclUint32. Then launch local_update()
    // and end the capture. About 5 lines.
    // BEGIN SOLUTION 3
    NCCL_CHECK(ncclAllReduce(own.gradient, own.gradient, n, ncclUint32, ncclSum, own.comm, own.stream));
    NCCL_CHECK(ncclAllReduce(own.largest, own.largest, 1, ncclUint32, ncclMax, own.comm, own.stream));
    local_update<<<blocks, kBlock, 0, own.stream>>>(own.gradient, own.largest, own.weights, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaStreamEndCapture(own.stream, &graph));
    // STARTER KIT_TODO(3, graph);
    // END SOLUTION 3

    // TODO(4): Create one instance, launch it `steps` times in own.stream, and destroy both. About 4 lines.
    // BEGIN SOLUTION 4
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int step = 0; step < steps; ++step) CUDA_CHECK(cudaGraphLaunch(exec, own.stream));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    // STARTER KIT_TODO(4, exec, steps);
    // END SOLUTION 4
}
// [/train]

// [wait]
int wait_or_abort(const Replica& own, double seconds) {
    auto begin = std::chrono::steady_clock::now();
    // TODO(5): Ask the stream again and again, without waiting for it. If it is not ready, ask the communicator for an error. If it
    // has one, or the time is over, abort it. About 13 lines.
    // BEGIN SOLUTION 5
    while (true) {
        cudaError_t state = cudaStreamQuery(own.stream);
        if (state == cudaSuccess) return ncclSuccess;
        if (state != cudaErrorNotReady) CUDA_CHECK(state);
        ncclResult_t error = ncclSuccess;
        NCCL_CHECK(ncclCommGetAsyncError(own.comm, &error));
        if (error == ncclInProgress) error = ncclSuccess;
        std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
        if (error == ncclSuccess && waited.count() > seconds) error = ncclSystemError;
        if (error == ncclSuccess) continue;
        NCCL_CHECK(ncclCommAbort(own.comm));
        return error;
    }
    // STARTER KIT_TODO(5, own, seconds, begin);
    // STARTER return ncclSuccess;
    // END SOLUTION 5
}
// [/wait]

}  // namespace multi_gpu
