// What a single atomic addition costs: near and far, alone and in company. For the demo of 06_histogram.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "kit.cuh"

/// A number that looks random, and is the same everywhere.
__host__ __device__ inline unsigned int scrambled(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

#ifndef KIT_CPU  // measures only times, and these need a GPU
namespace atomic_cost {

constexpr int kThreads = 256;
constexpr int kNear = 1024;  ///< counters of a block in shared memory

/// Every thread adds `steps` times to the counter that `places` gives it. The places come from memory: if the
/// compiler knew that all lanes have the same one, it would add their values up first, and the figure would differ.
/// An addition of 1 to shared memory has a special instruction if the old value is not used. An addition of 2 has not.
template <bool Shared, int Addend>
__global__ void many(const unsigned int* places, unsigned int* far, int steps) {
    __shared__ unsigned int near[kNear];
    for (int i = threadIdx.x; i < kNear; i += kThreads) near[i] = 0;
    __syncthreads();  // all counters are 0 before a thread counts
    const unsigned int place = places[blockIdx.x * kThreads + threadIdx.x];
    unsigned int* counter = Shared ? &near[place] : &far[place];
#pragma unroll 8
    for (int i = 0; i < steps; ++i) atomicAdd(counter, static_cast<unsigned int>(Addend));
    __syncthreads();  // all threads have counted before one reads
    if (Shared && near[threadIdx.x] == 0xffffffffu) far[threadIdx.x] = 1;
}

/// Adds to random ones of mask + 1 counters.
template <int Addend>
__global__ void many_random(unsigned int* far, unsigned int mask, int steps) {
    const unsigned int thread = blockIdx.x * kThreads + threadIdx.x;
    for (int i = 0; i < steps; ++i)
        atomicAdd(&far[scrambled(thread + i * gridDim.x * kThreads) & mask],
                  static_cast<unsigned int>(Addend));
}

/// One thread: each addition needs the result of the previous one. `far` holds 0; with a mask the places are random.
template <bool Shared>
__global__ void chain(unsigned int* far, unsigned int mask, int steps, unsigned int* out) {
    __shared__ unsigned int near[32];
    near[0] = 0;
    unsigned int last = 0;
    for (int i = 0; i < steps; ++i)
        last = atomicAdd((Shared ? near : far + (scrambled(i) & mask)) + (last >> 31), 1u);
    *out = last;
}

struct Cost {
    const char *id, *where;
    double latency_ns;    ///< 0: as in the previous row
    double add_1, add_2;  ///< 10^9 additions per second, all multiprocessors together
    double spread;        ///< the larger one of the two rates
};

/// Measures one row after another, and shows each with show(cost). `memory` is overwritten: 2^k counters.
template <class Show>
void measure(unsigned int* memory, std::size_t counters, Show show) {
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 8 * multiprocessors;
    const unsigned int threads = static_cast<unsigned int>(blocks) * kThreads,
                       mask = static_cast<unsigned int>(counters - 1);
    kit::DeviceBuffer<unsigned int> places(threads), far(threads), out(1);
    kit::TimeOptions options;
    options.cold_l2 = false;
    options.repetitions = 11;
    double spread = 0;  // the spread of the current row
    const auto rate = [&](int steps, auto launch) {
        const kit::Timing timing = kit::time(launch, 0, options);
        spread = std::max(spread, timing.spread);
        return 1e-6 * threads * steps / timing.median_ms;
    };
    const auto latency = [&](auto kernel, unsigned int* where, unsigned int random) {
        const auto of = [&](int steps) {
            return kit::time([&] { kernel<<<1, 1>>>(where, random, steps, out.data()); }, 0, options)
                .median_ms;
        };
        return (of(12000) - of(4000)) * 1e6 / 8000;
    };
    const auto row = [&](const char* id, const char* where, double ns, bool shared, int steps, auto place) {
        std::vector<unsigned int> chosen(threads);
        for (unsigned int i = 0; i < threads; ++i) chosen[i] = place(i);
        places.copy_from(chosen);
        const auto with = [&](auto kernel) {
            return rate(steps, [&] { kernel<<<blocks, kThreads>>>(places.data(), far.data(), steps); });
        };
        spread = 0;
        const double add_1 = with(shared ? many<true, 1> : many<false, 1>),
                     add_2 = with(shared ? many<true, 2> : many<false, 2>);
        show(Cost{id, where, ns, add_1, add_2, spread});
    };
    far.clear();
    const double near_ns = latency(chain<true>, far.data(), 0);
    row("shared_own", "shared memory, each lane its own bank", near_ns, true, 8192,
        [](unsigned int i) { return i % kThreads; });
    row("shared_random", "shared memory, 256 random counters", 0, true, 8192,
        [](unsigned int i) { return scrambled(i) % 256; });
    row("shared_seven", "shared memory, 7 random counters", 0, true, 4096,
        [](unsigned int i) { return scrambled(i) % 7; });
    row("shared_same", "shared memory, all of a block at one", 0, true, 4096,
        [](unsigned int) { return 0u; });
    row("shared_bank", "shared memory, 32 lanes at one bank", 0, true, 1024,
        [](unsigned int i) { return i % 32 * 32; });
    const double far_ns = latency(chain<false>, far.data(), 0);
    row("l2_own", "L2, each thread its own counter", far_ns, false, 1024, [](unsigned int i) { return i; });
    row("l2_seven", "L2, 7 random counters", 0, false, 16, [](unsigned int i) { return scrambled(i) % 7; });
    row("l2_same", "L2, all of the grid at one", 0, false, 16, [](unsigned int) { return 0u; });

    CUDA_CHECK(cudaMemset(memory, 0, counters * sizeof(unsigned int)));
    options.cold_l2 = true;  // or the second time they are in L2
    const double memory_ns = latency(chain<false>, memory, mask);
    const auto random = [&](auto kernel) {
        return rate(64, [&] { kernel<<<blocks, kThreads>>>(memory, mask, 64); });
    };
    spread = 0;
    const double add_1 = random(many_random<1>), add_2 = random(many_random<2>);
    show(Cost{"memory_random", "random ones, more than fit into L2", memory_ns, add_1, add_2, spread});
    CUDA_CHECK_LAUNCH();
}

}  // namespace atomic_cost
#endif
