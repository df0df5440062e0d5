// The parts of the demo with collectives: sums by hand and by NCCL, training steps with calls and with a graph, and buckets.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "demo.hpp"
#include "devices.cuh"
#include "ring.cuh"

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

/// Returns a communicator for each device. Each has been used once, and they live as long as the program.
inline const std::vector<ncclComm_t>& all_ranks() {
    static const std::vector<ncclComm_t> comms = [] {
        std::vector<ncclComm_t> made(static_cast<std::size_t>(device_count()));
        NCCL_CHECK(ncclCommInitAll(made.data(), device_count(), nullptr));
        std::vector<std::unique_ptr<Memory>> values;
        for (int rank = 0; rank < device_count(); ++rank)
            values.push_back(std::make_unique<Memory>(rank, 1, 0));
        NCCL_CHECK(ncclGroupStart());
        for (std::size_t rank = 0; rank < made.size(); ++rank)
            NCCL_CHECK(ncclAllReduce(values[rank]->data(), values[rank]->data(), 1, ncclUint32, ncclSum,
                                     made[rank], stream_of(static_cast<int>(rank))));
        NCCL_CHECK(ncclGroupEnd());
        wait_for_all();
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

/// Queues work in the streams of all devices, after a fork from the first stream and before a join to it. A capture needs both.
template <class Queue>
void forked(const std::vector<cudaStream_t>& streams, const std::vector<cudaEvent_t>& events, Queue queue) {
    for (std::size_t i = 1; i < streams.size(); ++i) wait_in(streams[i], streams[0], 0, events[0]);
    queue();
    for (std::size_t i = 1; i < streams.size(); ++i)
        wait_in(streams[0], streams[i], static_cast<int>(i), events[i]);
}

/// Returns further fields for the record: the executor's notes about a run.
inline std::vector<Field> noted([[maybe_unused]] const std::function<void()>& run) {
#ifdef KIT_CPU
    const auto launches_before = kit::cpu::counters().graph_launches;
    kit::cpu::begin_timeline();
    run();
    const auto pieces = kit::cpu::take_timeline();
    auto queued = kit::cpu::counters().graph_launches - launches_before;
    wait_for_all();
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

/// The arrays of all devices, and a ring through them.
struct Arrays {
    explicit Arrays(std::size_t most) {
        for (int device = 0; device < device_count(); ++device) {
            data.push_back(std::make_unique<Memory>(device, most, device + 1));
            room.push_back(std::make_unique<Memory>(device, most, 0));
            streams.push_back(stream_of(device));
            events.push_back(event_of(device));
            ring.push_back({device, streams.back(), events.back(), data.back()->data(), room.back()->data()});
        }
    }
    /// Queues one sum over all devices.
    void sum(long long n) const {
        NCCL_CHECK(ncclGroupStart());
        for (std::size_t rank = 0; rank < ring.size(); ++rank)
            NCCL_CHECK(ncclAllReduce(ring[rank].data, ring[rank].data, static_cast<std::size_t>(n),
                                     ncclUint32, ncclSum, all_ranks()[rank], streams[rank]));
        NCCL_CHECK(ncclGroupEnd());
    }
    std::vector<std::unique_ptr<Memory>> data, room;
    std::vector<cudaStream_t> streams;
    std::vector<cudaEvent_t> events;
    std::vector<RingRank> ring;
};

inline void sum(Demo& demo) {
    constexpr int sums = 10;
    all_ranks();  // created before any capture begins
    const Arrays arrays(static_cast<std::size_t>(demo.n()));
    std::map<long long, cudaGraphExec_t> graphs;
    const auto in_a_graph = [&](long long n) {
        cudaGraphExec_t& exec = graphs[n];
        if (!exec)
            exec = instance_of(arrays.streams[0], [&] {
                forked(arrays.streams, arrays.events, [&] {
                    for (int i = 0; i < sums; ++i) arrays.sum(n);
                });
            });
        CUDA_CHECK(cudaGraphLaunch(exec, arrays.streams[0]));
    };
    const auto version = [&](const char* id, const char* name, const char* change,
                             const std::function<void(long long)>& work) {
        const auto run = [work](long long n) {
            work(n);
            wait_for_all();
        };
        // Runs once from the initial values 1, 2, ... in each byte. Each further sum multiplies by the number of devices.
        const auto right = [&, run](long long n) {
            unsigned want = 0;
            for (std::size_t rank = 0; rank < arrays.data.size(); ++rank) {
                arrays.data[rank]->fill(static_cast<int>(rank) + 1);
                want += 0x01010101u * (static_cast<unsigned>(rank) + 1);
            }
            run(n);
            for (int i = 1; i < sums; ++i) want *= static_cast<unsigned>(arrays.data.size());
            const auto last = static_cast<std::size_t>(n) - 1;
            return std::all_of(arrays.data.begin(), arrays.data.end(), [&](const auto& one) {
                return one->at(0) == want && one->at(last / 2) == want && one->at(last) == want;
            });
        };
        Version made = {id, name, change, run, right};
        made.facts = [&demo, work] { return noted([&] { work(demo.n()); }); };
        return made;
    };
    in_a_graph(demo.n());  // its capture is not counted; later calls only launch
    wait_for_all();
    Version library =
        version("nccl", "NCCL, ten groups", "A group of all ranks' calls for each sum.", [&](long long n) {
            for (int i = 0; i < sums; ++i) arrays.sum(n);
        });
    library.library = true;
    Work work = by_host_clock(demo.n(), "sum", sums);
    work.bytes = sums * sizeof(unsigned) *
                 static_cast<double>(demo.n());  // a lower bound of the bytes that each device sends
    ladder_and_sweep(demo, "sum", "ten sums of all devices' arrays", demo.n(), 10, 28, work,
                     {version("v3", "a ring by hand", "Copies to the next device, and additions.",
                              [&](long long n) {
                                  for (int i = 0; i < sums; ++i)
                                      ring_all_reduce(arrays.ring, static_cast<int>(n));
                              }),
                      library,
                      version("graph", "NCCL, one graph",
                              "The ten groups are recorded, and launched at once.", in_a_graph)});
    for (const auto& [n, exec] : graphs) CUDA_CHECK(cudaGraphExecDestroy(exec));
}

#ifndef KIT_CPU
/// Measures the algorithm and the bus bandwidth of NCCL's sums, and compares the times with a model of a ring: each of its steps has a
/// latency, and the bytes of a rank cross its link at a rate. Latency and rate follow from the smallest and the largest size.
inline void bandwidth(Demo& demo) {
    constexpr int smallest = 8, sums = 10, repetitions = 11;
    int largest = smallest;
    while (largest < 28 && (2LL << largest) <= demo.n()) ++largest;
    const Arrays arrays(std::size_t(1) << largest);
    const int ranks = device_count();
    const auto time_of = [&](int power) {  // seconds of one sum
        return milliseconds(repetitions,
                            [&] {
                                for (int i = 0; i < sums; ++i) arrays.sum(1LL << power);
                            }) /
               1e3 / sums;
    };
    std::vector<double> times;
    for (int power = smallest; power <= largest; power += 2) times.push_back(time_of(power));
    const double link = link_gb_per_s(), steps = 2.0 * (ranks - 1), share = steps / ranks;
    const auto bytes_of = [](int power) { return 4.0 * static_cast<double>(1LL << power); };
    const int last = smallest + 2 * (static_cast<int>(times.size()) - 1);
    const double latency = times.front(), rate = share * bytes_of(last) / (times.back() - latency);
    demo.table("bandwidth",
               "one sum with NCCL over sizes; the link carries " + std::to_string(static_cast<int>(link)) +
                   " GB/s in one direction",
               {"bytes", 11},
               {{"us", 1, 9},
                {"algorithm_gb_per_s", 1, 11},
                {"bus_gb_per_s", 1, 8},
                {"of_link", 3, 7},
                {"model_us", 1, 9},
                {"model_error", 3, 11}});
    for (std::size_t i = 0; i < times.size(); ++i) {
        const int power = smallest + 2 * static_cast<int>(i);
        const double algorithm = bytes_of(power) / times[i] / 1e9, bus = share * algorithm,
                     model = latency + share * bytes_of(power) / rate;
        demo.row("p" + std::to_string(power), std::to_string(4LL << power),
                 {times[i] * 1e6, algorithm, bus, bus / link, model * 1e6, model / times[i] - 1});
    }
    demo.table("model", "the model's latency of a step, and its rate", {"ranks", 6},
               {{"step_us", 2, 7}, {"gb_per_s", 1, 8}});
    demo.row("r" + std::to_string(ranks), std::to_string(ranks), {latency / steps * 1e6, rate / 1e9});
}
#endif

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
    for (int rank = 0; rank < device_count(); ++rank) {
        const std::size_t first = memory.size();
        for (const auto& [values, byte] :
             {std::pair<std::size_t, int>{size, 3 + rank}, {size, 5}, {size, 0}, {1, 0}})
            memory.push_back(std::make_unique<Memory>(rank, values, byte));
        replicas.push_back({rank, all_ranks()[static_cast<std::size_t>(rank)], stream_of(rank),
                            event_of(rank), memory[first]->data(), memory[first + 1]->data(),
                            memory[first + 2]->data(), memory[first + 3]->data()});
    }
    const auto version = [&](const char* id, const char* name, const char* change,
                             const std::function<void(int)>& work) {
        // The weights of all ranks are equal, and have changed.
        const auto right = [&](long long values) {
            const auto last = static_cast<std::size_t>(values) - 1;
            bool same = memory[1]->at(last) != 0x05050505u;
            for (std::size_t i = 5; i < memory.size(); i += 4)
                same = same && memory[1]->at(0) == memory[i]->at(0) &&
                       memory[1]->at(last) == memory[i]->at(last);
            return same;
        };
        Version made = {id, name, change,
                        [work](long long values) {
                            work(static_cast<int>(values));
                            wait_for_all();
                        },
                        right};
        made.facts = [n, work] { return noted([&] { work(static_cast<int>(n)); }); };
        return made;
    };
    ladder_and_sweep(
        demo, "steps", "100 steps of training on " + std::to_string(device_count()) + " devices", n, 10, 20,
        by_host_clock(n, "step", count),
        {version("calls", "all calls in each step",
                 "Fills, launches and groups, in the order of the streams.",
                 [&](int values) {
                     for (int step = 0; step < count; ++step) step_by_calls(replicas, values);
                 }),
         version("anew", "a graph for each step", "Recorded, instantiated and launched for each step.",
                 [&](int values) {
                     for (int step = 0; step < count; ++step)
                         multi_gpu::train(replicas.data(), device_count(), values, 1);
                 }),
         version("v5", "one graph", "Recorded once, launched for each step.",
                 [&](int values) { multi_gpu::train(replicas.data(), device_count(), values, count); })});
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
        const double both = us([&] { multi_gpu::backward(workers.data(), device_count(), buckets); }),
                     high = us([&] { multi_gpu::backward(urgent.data(), device_count(), buckets); });
        demo.row("b" + std::to_string(count), std::to_string(count),
                 {kernels, sums, both, (kernels + sums - both) / std::min(kernels, sums), high});
    }
}

inline void buckets(Demo& demo) {
    const auto n = static_cast<int>(demo.n());
    const auto size = static_cast<std::size_t>(n);
    constexpr int most = 64;
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<std::vector<cudaEvent_t>> made(static_cast<std::size_t>(device_count()));
    std::vector<multi_gpu::Worker> workers;
    for (int rank = 0; rank < device_count(); ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        for (int byte : {3 + rank, 0, 5}) memory.push_back(std::make_unique<Memory>(rank, size, byte));
        for (int i = 0; i < most; ++i) made[at].push_back(event_of(rank));
        const std::size_t first = memory.size() - 3;
        workers.push_back({rank, all_ranks()[at], stream_of(rank), stream_of(rank), made[at].data(),
                           event_of(rank), memory[first]->data(), memory[first + 1]->data(),
                           memory[first + 2]->data()});
    }
    const auto step = [&](int count) {
        multi_gpu::backward(workers.data(), device_count(), {n, kit::ceil_div(n, count)});
        multi_gpu::update(workers.data(), device_count(), n);
    };
    // Gradients and weights of all ranks are equal.
    const auto right = [&](long long) {
        bool same = memory[1]->at(0) != 0;
        for (std::size_t i = 4; i < memory.size(); i += 3)
            same = same && memory[1]->at(0) == memory[i]->at(0) &&
                   memory[1]->at(size - 1) == memory[i]->at(size - 1) &&
                   memory[2]->at(size / 2) == memory[i + 1]->at(size / 2);
        return same;
    };
    std::vector<cudaStream_t> compute;
    std::vector<cudaEvent_t> events;
    for (const multi_gpu::Worker& own : workers) {
        compute.push_back(own.compute);
        events.push_back(event_of(own.device));
    }
    const cudaGraphExec_t exec = instance_of(compute[0], [&] { forked(compute, events, [&] { step(16); }); });
    std::vector<Version> versions;
    const auto add = [&](const std::string& id, const std::string& name, const std::string& change,
                         const std::function<void()>& work) {
        versions.push_back({id, name, change,
                            [work](long long) {
                                work();
                                wait_for_all();
                            },
                            right});
        versions.back().facts = [work] { return noted(work); };
    };
    for (int count : {1, 2, 4, 8, 16, 64})
        add("b" + std::to_string(count), std::to_string(count) + (count == 1 ? " bucket" : " buckets"),
            count == 1 ? "All is made, then all travels." : "", [&, count] { step(count); });
    add("graph", "16 buckets, one graph", "The step with 16 buckets, recorded and launched.",
        [&] { CUDA_CHECK(cudaGraphLaunch(exec, workers[0].compute)); });
    demo.ladder("buckets", std::to_string(n) + " gradients of each device, made and added up in buckets",
                by_host_clock(n), versions);
    CUDA_CHECK(cudaGraphExecDestroy(exec));
#ifndef KIT_CPU
    bucket_parts(demo, workers, n);
#endif
}

inline void sums(Demo& demo) {
    if (demo.part("sum")) sum(demo);
#ifndef KIT_CPU
    if (demo.part("bandwidth")) bandwidth(demo);
#endif
    if (demo.part("steps")) steps(demo);
    if (demo.part("buckets")) buckets(demo);
}

}  // namespace multi_gpu_demo

#endif
