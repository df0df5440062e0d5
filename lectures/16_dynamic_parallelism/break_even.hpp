// Measures how much work makes a child worth it: 64 sums of the same length, computed by the thread that reads them, by its
// warp, by a child that the thread launches, and by kernels of a host that knows the lengths in advance.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "source_matrices.hpp"

namespace contest {

constexpr int kSums = 64, kChildBlock = 256, kPerThread = 4;

/// Data of all versions: kSums pieces of `length` values each, and their sums.
struct Sums {
    const unsigned* in;
    int length;
    unsigned* sums;  ///< set to zero before each run

    __host__ __device__ int blocks() const { return kit::ceil_div(length, kChildBlock * kPerThread); }
};

/// Returns part `worker` of `workers` of sum `k`.
__device__ inline unsigned share(Sums s, int k, int worker, int workers) {
    unsigned sum = 0;
    for (int i = worker; i < s.length; i += workers) sum += s.in[static_cast<std::size_t>(k) * s.length + i];
    return sum;
}

__device__ inline unsigned sum_of_warp(unsigned sum) {
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    return sum;
}

__global__ void sums_by_threads(Sums s) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < kSums) s.sums[k] = share(s, k, 0, 1);
}

__global__ void sums_by_warps(Sums s) {
    const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (k >= kSums) return;
    const unsigned sum = sum_of_warp(share(s, k, lane, 32));
    if (lane == 0) s.sums[k] = sum;
}

/// Child kernel, with a grid as large as sum `k` needs.
__global__ void one_sum(Sums s, int k) {
    const int workers = gridDim.x * blockDim.x;
    const unsigned sum = sum_of_warp(share(s, k, blockIdx.x * blockDim.x + threadIdx.x, workers));
    if (threadIdx.x % 32 == 0) atomicAdd(&s.sums[k], sum);
}

__global__ void sums_by_children(Sums s) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= kSums) return;
    one_sum<<<s.blocks(), kChildBlock, 0, cudaStreamFireAndForget>>>(s, k);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

/// Runs only on a GPU, because the counts are the same for all lengths.
inline void show_break_even(Demo& demo) {
    if (!on_gpu || !demo.part("break_even")) return;
    constexpr int longest = 1 << 20;
    std::vector<unsigned> values(static_cast<std::size_t>(kSums) * longest);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 2654435761u * static_cast<unsigned>(i);
    const DeviceBuffer<unsigned> in(values);
    DeviceBuffer<unsigned> sums(kSums);
    const Streams streams;
    const auto of = [&](long long length) { return Sums{in.data(), static_cast<int>(length), sums.data()}; };
    const auto launched = [&](auto launch) {
        return [&, launch](long long length) {
            CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.bytes()));
            launch(of(length));
            CUDA_CHECK_LAUNCH();
        };
    };
    const auto right = [&](long long length) {
        const std::vector<unsigned> got = sums.to_vector();
        for (int k = 0; k < kSums; ++k) {
            const auto begin = values.begin() + k * length;
            unsigned want = 0;
            for (auto value = begin; value != begin + length; ++value) want += *value;
            if (got[static_cast<std::size_t>(k)] != want) return false;
        }
        return true;
    };
    std::vector<long long> lengths;
    for (long long length = 32; length <= longest; length *= 4) lengths.push_back(length);
    lengths.push_back(longest);
    demo.sweep("break_even", std::to_string(kSums) + " sums of n values each", lengths,
               [](long long length) { return by_host_clock(length, 21); },
               {{"thread", "a thread each", "The thread that meets a sum does it.",
                 launched([](Sums s) { sums_by_threads<<<1, kSums>>>(s); }), right},
                {"warp", "a warp each", "Its warp does it.",
                 launched([](Sums s) { sums_by_warps<<<kSums / 8, 256>>>(s); }), right},
                {"child", "a child each", "The thread launches a grid for it.",
                 launched([](Sums s) { sums_by_children<<<1, kSums>>>(s); }), right},
                {"host", "a kernel each, by the host", "The host knows the lengths, and has 8 streams.",
                 launched([&](Sums s) {
                     for (int k = 0; k < kSums; ++k)
                         one_sum<<<s.blocks(), kChildBlock, 0, streams.of(static_cast<std::size_t>(k))>>>(s,
                                                                                                          k);
                 }),
                 right}});
}

}  // namespace contest
