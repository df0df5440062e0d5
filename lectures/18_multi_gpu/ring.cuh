// v3: sums the arrays of all devices, on each of them, with copies and additions, as a library does for several devices.
#pragma once

#include <algorithm>
#include <vector>

#include "kit.cuh"

namespace multi_gpu_demo {

/// The device, stream and memory of one rank. Peer access is not needed, because peer copies always work.
struct RingRank {
    int device;
    cudaStream_t stream;  ///< a stream of `device`
    cudaEvent_t sent;     ///< an event of `device`
    unsigned* data;       ///< n values, which become the sum over all ranks
    unsigned* arrived;    ///< room for n values
};

__global__ void add_chunk(unsigned* data, const unsigned* arrived, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) data[i] += arrived[i];
}

enum class Arrived { is_added, replaces };

/// Each rank sends one chunk to the next rank, which waits for it. `of` returns the chunk that a rank sends.
template <class ChunkOf>
void pass_on(const std::vector<RingRank>& ring, int n, ChunkOf of, Arrived arrived) {
    const bool add = arrived == Arrived::is_added;
    const int ranks = static_cast<int>(ring.size()), most = kit::ceil_div(n, ranks);
    const auto begin = [&](int chunk) { return std::min(n, chunk * most); };
    const auto size = [&](int chunk) { return begin(chunk + 1) - begin(chunk); };
    for (int rank = 0; rank < ranks; ++rank) {
        const RingRank &mine = ring[rank], &next = ring[(rank + 1) % ranks];
        const int chunk = of(rank);
        CUDA_CHECK(cudaMemcpyPeerAsync((add ? next.arrived : next.data) + begin(chunk), next.device,
                                       mine.data + begin(chunk), mine.device, size(chunk) * sizeof(unsigned),
                                       mine.stream));
        CUDA_CHECK(cudaEventRecord(mine.sent, mine.stream));
    }
    for (int rank = 0; rank < ranks; ++rank) {
        const RingRank &mine = ring[rank], &previous = ring[(rank + ranks - 1) % ranks];
        const int chunk = of((rank + ranks - 1) % ranks);
        CUDA_CHECK(cudaStreamWaitEvent(mine.stream, previous.sent, 0));
        if (!add || size(chunk) == 0) continue;
        CUDA_CHECK(cudaSetDevice(mine.device));
        add_chunk<<<kit::ceil_div(size(chunk), 256), 256, 0, mine.stream>>>(
            mine.data + begin(chunk), mine.arrived + begin(chunk), size(chunk));
        CUDA_CHECK_LAUNCH();
    }
}

// v3: a ring. In each step every rank sends one chunk to the next rank, and all links are busy.
// Cost    : 2 (ranks - 1) steps; a rank sends 2 (ranks - 1) / ranks of its data, for any number of ranks.
// Requires: all waits of a step are queued before the next step records `sent` again.
// [ring]
inline void ring_all_reduce(const std::vector<RingRank>& ring, int n) {
    const int ranks = static_cast<int>(ring.size());
    const auto chunk = [&](int number) { return (number + 2 * ranks) % ranks; };
    // Reduce-scatter. After it, rank r has the sum of chunk r + 1.
    for (int step = 0; step < ranks - 1; ++step) {
        const auto sent = [&](int rank) { return chunk(rank - step); };
        pass_on(ring, n, sent, Arrived::is_added);
    }
    // All-gather.
    for (int step = 0; step < ranks - 1; ++step) {
        const auto sent = [&](int rank) { return chunk(rank + 1 - step); };
        pass_on(ring, n, sent, Arrived::replaces);
    }
    CUDA_CHECK(cudaSetDevice(ring[0].device));
}
// [/ring]

}  // namespace multi_gpu_demo
