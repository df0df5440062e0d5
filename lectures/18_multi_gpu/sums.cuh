// The parts of the demo with collectives: sums by hand and by NCCL, training steps with calls and with a graph, and buckets.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "demo.hpp"
#include "ring.cuh"
#include "two_gpus.cuh"

#ifdef KIT_WITHOUT_NCCL

namespace multi_gpu_demo {
inline void sums(kit::demo::Demo& demo) {
    demo.say("The tables sum, steps and buckets need NCCL, which was not found when this was built.");
}
}  // namespace multi_gpu_demo

#else

#include "18_multi_gpu/nccl_check.hpp"

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#include <kit_cpu/timeline.hpp>
#endif

namespace multi_gpu_demo {

using kit::demo::Demo;
using kit::demo::Field;
using kit::demo::Version;
using kit::demo::Work;

/// Returns a communicator for each of the two devices. Each has been used once, and they live as long as the program.
inline const std::array<ncclComm_t, 2>& two_ranks() {
    static const std::array<ncclComm_t, 2> comms = [] {
        std::array<ncclComm_t, 2> made{};
        NCCL_CHECK(ncclCommInitAll(made.data(), 2, nullptr));
        Memory first(0, 1, 0), second(1, 1, 0);
        unsigned* values[] = {first.data(), second.data()};
        NCCL_CHECK(ncclGroupStart());
        for (int rank = 0; rank < 2; ++rank)
            NCCL_CHECK(ncclAllReduce(values[rank], values[rank], 1, ncclUint32, ncclSum, made[rank],
                                     stream_of(rank)));
        NCCL_CHECK(ncclGroupEnd());
        wait_for_both();
        return made;
    }();
    return comms;
}

/// Captures the work of `record`, starting in the first stream and including other streams, and returns an executable graph.
template <class Record>
cudaGraphExec_t instance_of(cudaStream_t first, Record record) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    record();
    CUDA_CHECK(cudaStreamEndCapture(first, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

/// Makes one stream wait for the current work of the other.
inline void wait_in(cudaStream_t waiting, cudaStream_t other, int device_of_other, cudaEvent_t event) {
    CUDA_CHECK(cudaSetDevice(device_of_other));
    CUDA_CHECK(cudaEventRecord(event, other));
    CUDA_CHECK(cudaStreamWaitEvent(waiting, event, 0));
    CUDA_CHECK(cudaSetDevice(0));
}

/// Returns further fields for the record: the executor's notes about a run.
inline std::vector<Field> noted([[maybe_unused]] const std::function<void()>& run) {
#ifdef KIT_CPU
    const auto launches_before = kit::cpu::counters().graph_launches;
    kit::cpu::begin_timeline();
    run();
    const auto pieces = kit::cpu::take_timeline();
    auto queued = kit::cpu::counters().graph_launches - launches_before;
    wait_for_both();
    unsigned steps = 0;
    for (const kit::cpu::QueuedPiece& piece : pieces) {
        queued += piece.label.stream != kit::cpu::WorkLabel::of_graph;
        steps = std::max(steps, piece.step);
    }
    return {{"queued_by_host", static_cast<unsigned long long>(queued)}, {"steps", static_cast<int>(steps)}};
#else
    return {};
#endif
}

inline Work by_host_clock(long long n, const std::string& piece = "", long long pieces = 0) {
    Work work;
    work.n = n;
    work.host_clock = true;
    work.cold_l2 = false;
    work.piece = piece;
    work.pieces = pieces;
    return work;
}

/// Prints the ladder. On a GPU, it also prints a sweep over sizes.
inline void ladder_and_sweep(Demo& demo, const std::string& table, const std::string& title, long long n,
                             [[maybe_unused]] int smallest, [[maybe_unused]] int largest, const Work& work,
                             const std::vector<Version>& versions) {
    demo.ladder(table, title + ", n = " + std::to_string(n), work, versions);
#ifndef KIT_CPU
    std::vector<long long> sizes;
    for (int power = smallest; power <= largest; power += 2)
        if ((1LL << power) <= n) sizes.push_back(1LL << power);
    demo.sweep(
        table + "_sizes", title, sizes, [](long long size) { return by_host_clock(size); }, versions);
#endif
}

// ---- v3 and v4: sums, by hand and by the library, without and with a graph ----

inline void sum(Demo& demo) {
    constexpr int sums = 10;
    const auto most = static_cast<std::size_t>(demo.n());
    Memory data0(0, most, 1), data1(1, most, 2), room0(0, most, 0), room1(1, most, 0);
    cudaStream_t streams[] = {stream_of(0), stream_of(1)};
    cudaEvent_t events[] = {event_of(0), event_of(1)};
    const std::vector<RingRank> ring = {{0, streams[0], events[0], data0.data(), room0.data()},
                                        {1, streams[1], events[1], data1.data(), room1.data()}};
    const std::array<ncclComm_t, 2>& comms = two_ranks();  // created before any capture begins
    const auto call = [&](long long n) {
        NCCL_CHECK(ncclGroupStart());
        for (int rank = 0; rank < 2; ++rank)
            NCCL_CHECK(ncclAllReduce(ring[rank].data, ring[rank].data, static_cast<std::size_t>(n),
                                     ncclUint32, ncclSum, comms[rank], streams[rank]));
        NCCL_CHECK(ncclGroupEnd());
    };
    std::map<long long, cudaGraphExec_t> graphs;
    const auto in_a_graph = [&](long long n) {
        cudaGraphExec_t& exec = graphs[n];
        if (!exec)
            exec = instance_of(streams[0], [&] {
                wait_in(streams[1], streams[0], 0, events[0]);
                for (int i = 0; i < sums; ++i) call(n);
                wait_in(streams[0], streams[1], 1, events[1]);
            });
        CUDA_CHECK(cudaGraphLaunch(exec, streams[0]));
    };
    const auto version = [&](const char* id, const char* name, const char* change,
                             const std::function<void(long long)>& work) {
        const auto run = [work](long long n) {
            work(n);
            wait_for_both();
        };
        // Runs once from the initial values: 1 + 2 in each byte, which each further sum doubles.
        const auto right = [&, run](long long n) {
            data0.fill(1);
            data1.fill(2);
            run(n);
            const unsigned want = 0x03030303u << (sums - 1);
            const auto last = static_cast<std::size_t>(n) - 1;
            return data0.at(0) == want && data0.at(last) == want && data1.at(last / 2) == want &&
                   data1.at(last) == want;
        };
        Version made = {id, name, change, run, right};
        made.facts = [&demo, work] { return noted([&] { work(demo.n()); }); };
        return made;
    };
    in_a_graph(demo.n());  // its capture is not counted; later calls only launch
    wait_for_both();
    Version library =
        version("nccl", "NCCL, ten groups", "A group of two calls for each sum.", [&](long long n) {
            for (int i = 0; i < sums; ++i) call(n);
        });
    library.library = true;
    Work work = by_host_clock(demo.n(), "sum", sums);
    work.bytes =
        sums * sizeof(unsigned) * static_cast<double>(demo.n());  // each device sends as many bytes as it has
    ladder_and_sweep(demo, "sum", "ten sums of two devices' arrays", demo.n(), 10, 28, work,
                     {version("v3", "a ring by hand", "Copies to the next device, and additions.",
                              [&](long long n) {
                                  for (int i = 0; i < sums; ++i) ring_all_reduce(ring, static_cast<int>(n));
                              }),
                      library,
                      version("graph", "NCCL, one graph",
                              "The ten groups are recorded, and launched at once.", in_a_graph)});
    for (const auto& [n, exec] : graphs) CUDA_CHECK(cudaGraphExecDestroy(exec));
}

// ---- v5: steps with separate calls, and with one graph ----

__global__ void gradient_of(const unsigned* samples, const unsigned* weights, unsigned* gradient,
                            unsigned* largest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned local = i < n ? (2654435761u * (weights[i] ^ samples[i])) >> 12 : 0;
    if (i < n) gradient[i] = local;
    for (int offset = 16; offset > 0; offset /= 2) local = max(local, __shfl_down_sync(~0u, local, offset));
    if (threadIdx.x % 32 == 0) atomicMax(largest, local);
}

__global__ void descend(const unsigned* gradient, const unsigned* largest, unsigned* weights, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) weights[i] -= gradient[i] / (1 + *largest / 1024);
}

inline void step_by_calls(const std::vector<multi_gpu::Replica>& replicas, int n) {
    const int blocks = kit::ceil_div(n, multi_gpu::kBlock);
    for (const multi_gpu::Replica& mine : replicas) {
        CUDA_CHECK(cudaSetDevice(mine.device));
        CUDA_CHECK(cudaMemsetAsync(mine.largest, 0, sizeof(unsigned), mine.stream));
        gradient_of<<<blocks, multi_gpu::kBlock, 0, mine.stream>>>(mine.samples, mine.weights, mine.gradient,
                                                                   mine.largest, n);
        CUDA_CHECK_LAUNCH();
    }
    multi_gpu::all_reduce(replicas.data(), static_cast<int>(replicas.size()), n);
    for (const multi_gpu::Replica& mine : replicas) {
        CUDA_CHECK(cudaSetDevice(mine.device));
        descend<<<blocks, multi_gpu::kBlock, 0, mine.stream>>>(mine.gradient, mine.largest, mine.weights, n);
        CUDA_CHECK_LAUNCH();
    }
    CUDA_CHECK(cudaSetDevice(0));
}

inline void steps(Demo& demo) {
    constexpr int count = 100;
#ifdef KIT_CPU
    constexpr long long most = 1 << 11;  // checking 100 steps per version takes half a minute with 2^14
#else
    constexpr long long most = 1 << 20;
#endif
    const long long n = demo.given_n() ? demo.n() : std::min(demo.n(), most);
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<multi_gpu::Replica> replicas;
    for (int rank = 0; rank < 2; ++rank) {
        const std::size_t first = memory.size();
        for (const auto& [values, byte] :
             {std::pair<std::size_t, int>{size, 3 + rank}, {size, 5}, {size, 0}, {1, 0}})
            memory.push_back(std::make_unique<Memory>(rank, values, byte));
        replicas.push_back({rank, two_ranks()[rank], stream_of(rank), event_of(rank), memory[first]->data(),
                            memory[first + 1]->data(), memory[first + 2]->data(), memory[first + 3]->data()});
    }
    const auto version = [&](const char* id, const char* name, const char* change,
                             const std::function<void(int)>& work) {
        const auto right = [&](long long values) {
            const auto last = static_cast<std::size_t>(values) - 1;
            return memory[1]->at(0) == memory[5]->at(0) && memory[1]->at(last) == memory[5]->at(last) &&
                   memory[1]->at(last) != 0x05050505u;
        };
        Version made = {id, name, change,
                        [work](long long values) {
                            work(static_cast<int>(values));
                            wait_for_both();
                        },
                        right};
        made.facts = [n, work] { return noted([&] { work(static_cast<int>(n)); }); };
        return made;
    };
    ladder_and_sweep(
        demo, "steps", "100 steps of training on two devices", n, 10, 20, by_host_clock(n, "step", count),
        {version("calls", "all calls in each step",
                 "Fills, launches and groups, in the order of the streams.",
                 [&](int values) {
                     for (int step = 0; step < count; ++step) step_by_calls(replicas, values);
                 }),
         version("anew", "a graph for each step", "Recorded, instantiated and launched for each step.",
                 [&](int values) {
                     for (int step = 0; step < count; ++step) multi_gpu::train(replicas.data(), 2, values, 1);
                 }),
         version("v5", "one graph", "Recorded once, launched for each step.",
                 [&](int values) { multi_gpu::train(replicas.data(), 2, values, count); })});
}

// ---- v6: buckets ----

__global__ void make_alone(unsigned* delta, unsigned* gradient, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    delta[i] = 2654435761u * delta[i] + 12345u;
    gradient[i] = delta[i] >> 8;
}

/// Measures the kernels and the collectives of backward() alone, together, and together with high-priority collectives.
[[maybe_unused]] inline void bucket_parts(Demo& demo, std::vector<multi_gpu::Worker> workers, int n) {
    constexpr int repetitions = 11;
    demo.table(
        "bucket_parts",
        std::to_string(n) + " gradients, microseconds; hidden: of the shorter one of kernels and sums",
        {"buckets", 7},
        {{"kernels", 0, 8}, {"sums", 0, 8}, {"both", 0, 8}, {"hidden", 3, 7}, {"high_priority", 0, 13}});
    std::vector<multi_gpu::Worker> urgent = workers;
    for (multi_gpu::Worker& own : urgent) own.communicate = urgent_stream_of(own.device);
    for (int count : {1, 2, 4, 8, 16, 64}) {
        const multi_gpu::Buckets buckets = {n, kit::ceil_div(n, count)};
        const auto us = [&](auto run) { return 1000 * milliseconds(repetitions, run); };
        const double kernels = us([&] {
            for (int bucket = 0; bucket < buckets.count(); ++bucket)
                for (const multi_gpu::Worker& own : workers) {
                    const int size = buckets.size(bucket);
                    CUDA_CHECK(cudaSetDevice(own.device));
                    make_alone<<<kit::ceil_div(size, multi_gpu::kBlock), multi_gpu::kBlock, 0, own.compute>>>(
                        own.delta, own.gradient + buckets.begin(bucket), size);
                    CUDA_CHECK_LAUNCH();
                }
        });
        const double sums = us([&] {
            for (int bucket = 0; bucket < buckets.count(); ++bucket) {
                NCCL_CHECK(ncclGroupStart());
                for (const multi_gpu::Worker& own : workers) {
                    unsigned* const values = own.gradient + buckets.begin(bucket);
                    NCCL_CHECK(ncclAllReduce(values, values, static_cast<std::size_t>(buckets.size(bucket)),
                                             ncclUint32, ncclSum, own.comm, own.communicate));
                }
                NCCL_CHECK(ncclGroupEnd());
            }
        });
        const double both = us([&] { multi_gpu::backward(workers.data(), 2, buckets); }),
                     high = us([&] { multi_gpu::backward(urgent.data(), 2, buckets); });
        demo.row("b" + std::to_string(count), std::to_string(count),
                 {kernels, sums, both, (kernels + sums - both) / std::min(kernels, sums), high});
    }
}

inline void buckets(Demo& demo) {
    const auto n = static_cast<int>(demo.n());
    const auto size = static_cast<std::size_t>(n);
    constexpr int most = 64;
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<cudaEvent_t> made[2];
    std::vector<multi_gpu::Worker> workers;
    for (int rank = 0; rank < 2; ++rank) {
        for (int byte : {3 + rank, 0, 5}) memory.push_back(std::make_unique<Memory>(rank, size, byte));
        for (int i = 0; i < most; ++i) made[rank].push_back(event_of(rank));
        const std::size_t first = memory.size() - 3;
        workers.push_back({rank, two_ranks()[rank], stream_of(rank), stream_of(rank), made[rank].data(),
                           event_of(rank), memory[first]->data(), memory[first + 1]->data(),
                           memory[first + 2]->data()});
    }
    const auto step = [&](int count) {
        multi_gpu::backward(workers.data(), 2, {n, kit::ceil_div(n, count)});
        multi_gpu::update(workers.data(), 2, n);
    };
    const auto right = [&](long long) {
        return memory[1]->at(0) == memory[4]->at(0) && memory[1]->at(size - 1) == memory[4]->at(size - 1) &&
               memory[2]->at(size / 2) == memory[5]->at(size / 2) && memory[1]->at(0) != 0;
    };
    cudaEvent_t fork = event_of(0), join = event_of(1);
    const cudaGraphExec_t exec = instance_of(workers[0].compute, [&] {
        wait_in(workers[1].compute, workers[0].compute, 0, fork);
        step(16);
        wait_in(workers[0].compute, workers[1].compute, 1, join);
    });
    std::vector<Version> versions;
    const auto add = [&](const std::string& id, const std::string& name, const std::string& change,
                         const std::function<void()>& work) {
        versions.push_back({id, name, change,
                            [work](long long) {
                                work();
                                wait_for_both();
                            },
                            right});
        versions.back().facts = [work] { return noted(work); };
    };
    for (int count : {1, 2, 4, 8, 16, 64})
        add("b" + std::to_string(count), std::to_string(count) + (count == 1 ? " bucket" : " buckets"),
            count == 1 ? "All is made, then all travels." : "", [&, count] { step(count); });
    add("graph", "16 buckets, one graph", "The step with 16 buckets, recorded and launched.",
        [&] { CUDA_CHECK(cudaGraphLaunch(exec, workers[0].compute)); });
    demo.ladder("buckets", std::to_string(n) + " gradients of two devices, made and added up in buckets",
                by_host_clock(n), versions);
    CUDA_CHECK(cudaGraphExecDestroy(exec));
#ifndef KIT_CPU
    bucket_parts(demo, workers, n);
#endif
}

inline void sums(Demo& demo) {
    if (demo.part("sum")) sum(demo);
    if (demo.part("steps")) steps(demo);
    if (demo.part("buckets")) buckets(demo);
}

}  // namespace multi_gpu_demo

#endif
