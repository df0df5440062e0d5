// Shows what happens if the threads of a kernel launch more children than may be pending (lecture 16, section 3). Each of 4096
// threads launches an empty kernel and counts refusals; no thread waits for anything. There are 20 runs for each kind of stream.
// Fire and forget is last, because nothing can follow a run that does not end.
//
// Usage: refused_launches [LIMIT]    LIMIT: how many launches may be pending (default: CUDA's, 2048)
// Exit status: 0 if all runs ended, 1 if a run did not end within 5 seconds.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "kit.cuh"

namespace {

constexpr int kRuns = 20, kThreads = 4096, kBlock = 256;

enum class Into { block_stream, tail, fire_and_forget };

__global__ void child() {}

__global__ void parent(Into into, int* refused) {
    if (into == Into::block_stream) child<<<1, 1>>>();
    if (into == Into::tail) child<<<1, 1, 0, cudaStreamTailLaunch>>>();
    if (into == Into::fire_and_forget) child<<<1, 1, 0, cudaStreamFireAndForget>>>();
    if (cudaGetLastError() != cudaSuccess) atomicAdd(refused, 1);
}

/// Returns whether the device finishes within 5 seconds.
bool ends() {
    const auto begin = std::chrono::steady_clock::now();
    cudaError_t state = cudaSuccess;
    while ((state = cudaStreamQuery(nullptr)) == cudaErrorNotReady)
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(5)) return false;
    CUDA_CHECK(state);
    return true;
}

void try_out(const char* name, Into into) {
    int* refused = nullptr;
    CUDA_CHECK(cudaMalloc(&refused, sizeof *refused));
    CUDA_CHECK(cudaMemset(refused, 0, sizeof *refused));
    for (int run = 1; run <= kRuns; ++run) {
        parent<<<kThreads / kBlock, kBlock>>>(into, refused);
        CUDA_CHECK_LAUNCH();
        if (ends()) continue;
        std::printf("%-28s run %d has not ended after 5 seconds\n", name, run);
        std::fflush(stdout);
        std::_Exit(EXIT_FAILURE);  // device resources can no longer be freed
    }
    int count = 0;
    CUDA_CHECK(cudaMemcpy(&count, refused, sizeof count, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(refused));
    std::printf("%-28s %d runs have ended; %d of %d launches were refused\n", name, kRuns, count,
                kRuns * kThreads);
}

}  // namespace

int main(int argc, char** argv) {
    char* end = nullptr;
    const long limit = argc == 2 ? std::strtol(argv[1], &end, 10) : 0;
    if (argc > 2 || (argc == 2 && (*end != '\0' || limit < 1))) {
        std::fprintf(stderr,
                     "usage: refused_launches [LIMIT]    LIMIT: launches that may be pending, 1 or more\n");
        return 2;
    }
    if (argc == 2) CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
    std::size_t pending = 0;
    CUDA_CHECK(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    std::printf("%d threads launch an empty kernel each; %zu launches may be pending\n", kThreads, pending);
    try_out("into the block's own stream", Into::block_stream);
    try_out("into the tail", Into::tail);
    try_out("fire and forget", Into::fire_and_forget);
    return 0;
}
