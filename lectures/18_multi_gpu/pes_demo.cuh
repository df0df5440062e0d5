// Compares v7 (kernels that send) with copies that the host queues, and v8 (stealing tasks) with static shares. For the demo.
// PEs are host threads on the executor and processes on GPUs (18_multi_gpu/begin_pes.hpp); each PE has a device.
#pragma once

#include "devices.cuh"
#ifndef KIT_WITHOUT_NVSHMEM

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/begin_pes.hpp"
#include "demo.hpp"
#include "grader/inputs.hpp"
#include "handles.hpp"

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace multi_gpu_demo {

using kit::demo::Demo;
using multi_gpu::kBlock;
using multi_gpu::kSlots;
using pes::Words;

#ifdef KIT_CPU
constexpr int kRepetitions = 1;
#else
constexpr int kRepetitions = 11;
#endif

enum class Ask : unsigned { put, steal };

/// Returns the nanoseconds from a barrier of all PEs until the stream is empty.
template <class Run>
unsigned nanoseconds(cudaStream_t stream, Run run) {
    CUDA_CHECK(cudaDeviceSynchronize());
    nvshmem_barrier_all();
    const auto begin = std::chrono::steady_clock::now();
    run();
    CUDA_CHECK(cudaStreamSynchronize(stream));
    const auto time = std::chrono::steady_clock::now() - begin;
    nvshmem_barrier_all();
    return static_cast<unsigned>(std::chrono::nanoseconds(time).count());
}

/// A job of one PE: sends n values to the right. Returns 1 if the values that arrived are correct, and a time per repetition.
inline Words put(int pe, int pes, int n) {
    const auto size = static_cast<std::size_t>(n);
    pes::Symmetric<unsigned> slots(kSlots * kBlock), mine(size);
    pes::Symmetric<std::uint64_t> arrived(kSlots), freed(kSlots);
    const auto value = [](int pe, std::size_t i) {
        return 2654435761u * static_cast<unsigned>(i) + 77u * static_cast<unsigned>(pe);
    };
    Words values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = value(pe, i);
    mine.fill(values);
    kit::DeviceBuffer<unsigned> out(size);
    const kit::Stream stream;
    Words answer = {1};
    for (int i = 0; i <= kRepetitions; ++i) {  // the first repetition warms up
        arrived.fill({0, 0});
        freed.fill({0, 0});
        out.clear();
        const unsigned time = nanoseconds(stream, [&] {
            multi_gpu::shift_right({slots.data(), arrived.data(), freed.data()}, mine.data(), out.data(), n,
                                   stream);
        });
        if (i > 0 || kRepetitions == 1) answer.push_back(time);
    }
    const Words got = out.to_vector();
    for (std::size_t i = 0; i < size; ++i)
        if (got[i] != 3 * value((pe + pes - 1) % pes, i) + 1) answer[0] = 0;
    return answer;
}

/// Performs the tasks of this PE, without regard to the other PEs. Like v8, a warp draws 32 tickets at a time.
__global__ void own_tasks(int* tickets, const unsigned* steps, const int* count, unsigned* results) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    while (true) {
        int first = 0;
        if (lane == 0) first = atomicAdd(tickets, 32);
        first = __shfl_sync(~0u, first, 0);
        if (first >= *count) return;
        const int ticket = first + lane;
        if (ticket >= *count) continue;
        unsigned value = 1;
        for (unsigned i = 0; i < steps[ticket]; ++i) value = 1664525u * value + 1013904223u;
        results[ticket] = value;
    }
}

#ifdef KIT_CPU
constexpr unsigned kTasks = 256, kLongest = 200;
#else
constexpr unsigned kTasks = 1 << 20, kLongest = 40000;
#endif

/// Returns how many blocks of kTakers threads fill the device.
inline int full_grid() {
#ifdef KIT_CPU
    return 1;
#else
    int device = 0, processors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, own_tasks, multi_gpu::kTakers, 0));
    return processors * blocks;
#endif
}

/// A job of one PE, whose tasks are `steps`. Returns, for each repetition, the time with static shares, the time with stealing,
/// and how many tasks the PE has performed with stealing.
inline Words steal(int pes, const Words& steps) {
    pes::Symmetric<int> tickets(1), count(1);
    pes::Symmetric<unsigned> tasks(kTasks), results(kTasks);
    tasks.fill(steps);
    count.fill({static_cast<int>(steps.size())});
    kit::DeviceBuffer<int> done(static_cast<std::size_t>(pes));
    const kit::Stream stream;
    const int blocks = full_grid();
    Words answer;
    for (int i = 0; i < kRepetitions; ++i) {
        tickets.fill({0});
        done.clear();
        answer.push_back(nanoseconds(stream, [&] {
            own_tasks<<<blocks, multi_gpu::kTakers, 0, stream>>>(tickets.data(), tasks.data(), count.data(),
                                                                 results.data());
            CUDA_CHECK_LAUNCH();
        }));
        tickets.fill({0});
        done.clear();
        answer.push_back(nanoseconds(stream, [&] {
            multi_gpu::run_tasks({tickets.data(), tasks.data(), count.data(), results.data()}, done.data(),
                                 blocks, stream);
        }));
        unsigned all = 0;
        for (const int of_owner : done.to_vector()) all += static_cast<unsigned>(of_owner);
        answer.push_back(all);
    }
    return answer;
}

/// The job of every PE in the demo: the first word selects the job, the others are its input.
inline Words job_of_pe(int pe, int pes, const Words& input) {
    if (static_cast<Ask>(input[0]) == Ask::put) return put(pe, pes, static_cast<int>(input[1]));
    return steal(pes, {input.begin() + 1, input.end()});
}

__global__ void scale(const unsigned* arrived, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * arrived[i] + 1;
}

/// The same work as v7 for all devices, queued by the host: for each device one copy, one event and one kernel per piece.
class ByCopies {
  public:
    explicit ByCopies(int n) : n_(n) {
        for (int device = 0; device < device_count(); ++device)
            sides_.push_back(std::make_unique<Side>(device, static_cast<std::size_t>(n)));
    }

    double milliseconds(int piece) {
        return multi_gpu_demo::milliseconds(kRepetitions, [&] {
            for (int first = 0; first < n_; first += piece)
                for (int from = 0; from < device_count(); ++from)
                    send(from, (from + 1) % device_count(), first, std::min(piece, n_ - first));
        });
    }

  private:
    struct Side {
        Side(int device, std::size_t n)
            : mine(device, n, 1),
              arrived(device, n, 0),
              out(device, n, 0),
              copies(device),
              kernels(device),
              sent(device) {}
        Memory mine, arrived, out;
        kit::Stream copies, kernels;
        kit::Event sent;
    };

    void send(int from, int to, int first, int size) {
        Side &source = *sides_[static_cast<std::size_t>(from)],
             &target = *sides_[static_cast<std::size_t>(to)];
        CUDA_CHECK(cudaSetDevice(from));
        CUDA_CHECK(cudaMemcpyPeerAsync(target.arrived.data() + first, to, source.mine.data() + first, from,
                                       static_cast<std::size_t>(size) * sizeof(unsigned), source.copies));
        CUDA_CHECK(cudaEventRecord(source.sent, source.copies));
        CUDA_CHECK(cudaSetDevice(to));
        CUDA_CHECK(cudaStreamWaitEvent(target.kernels, source.sent));
        scale<<<kit::ceil_div(size, kBlock), kBlock, 0, target.kernels>>>(target.arrived.data() + first,
                                                                          target.out.data() + first, size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaSetDevice(0));
    }

    int n_;
    std::vector<std::unique_ptr<Side>> sides_;
};

/// Returns the largest value that a PE has at this index of its answer, and the smallest.
[[maybe_unused]] inline double slowest(const std::vector<Words>& answers, std::size_t at) {
    unsigned most = 0;
    for (const Words& one : answers) most = std::max(most, one[at]);
    return most;
}
[[maybe_unused]] inline double fastest(const std::vector<Words>& answers, std::size_t at) {
    unsigned least = answers[0][at];
    for (const Words& one : answers) least = std::min(least, one[at]);
    return least;
}

/// Compares v7 with copies of pieces of the same size, and with one copy in each direction.
inline void puts(Demo& demo) {
    if (!demo.part("put")) return;
#ifdef KIT_CPU
    demo.table("put", "n values to the right neighbour, a PE per device, in pieces of 256: kernels, counted",
               {"values", 8}, {{"pieces", 0, 6}, {"put_kernels", 0, 11}, {"copy_kernels", 0, 12}});
    const std::vector<int> all_pieces = {1, 4, 16};
#else
    demo.table("put", "n values to the right neighbour, a PE per device, in pieces of 256: microseconds",
               {"values", 8},
               {{"pieces", 0, 6},
                {"put_us", 1, 9},
                {"put_us_each", 2, 11},
                {"copies_us", 1, 9},
                {"one_copy_us", 1, 11}});
    const std::vector<int> all_pieces = {1, 16, 256, 4096};
#endif
    for (const int pieces : all_pieces) {
        const int n = pieces * kBlock;
        const Words input = {static_cast<unsigned>(Ask::put), static_cast<unsigned>(n)};
#ifdef KIT_CPU
        kit::cpu::reset_counters();
#endif
        const auto answers =
            pes::begin(job_of_pe, std::vector<Words>(static_cast<std::size_t>(device_count()), input));
        const auto right = [](const Words& answer) { return !answer.empty() && answer[0] == 1; };
        if (!answers || !std::all_of(answers->begin(), answers->end(), right)) {
            demo.say("put: what arrived is wrong, or a PE has ended");
            std::exit(EXIT_FAILURE);
        }
        const std::string id = "n" + std::to_string(n), label = std::to_string(n);
#ifdef KIT_CPU
        const auto kernels = kit::cpu::counters().kernels / (kRepetitions + 1);  // one repetition warms up
        kit::cpu::reset_counters();
        ByCopies(n).milliseconds(kBlock);
        demo.row(id, label, {pieces, kernels, kit::cpu::counters().kernels / (kRepetitions + 1)});
#else
        std::vector<double> times;
        for (std::size_t i = 1; i < (*answers)[0].size(); ++i) times.push_back(slowest(*answers, i) / 1000.0);
        ByCopies copies(n);
        demo.row(id, label,
                 {pieces, median(times), median(times) / pieces, copies.milliseconds(kBlock) * 1000,
                  copies.milliseconds(n) * 1000});
#endif
    }
}

/// Compares v8 with static shares: when the first and the last PE have finished, and how many tasks they have done. PE 0 has a part of
/// the tasks, and the others share the rest.
inline void steals(Demo& demo) {
    if (!demo.part("steal")) return;
    const auto pes = static_cast<std::size_t>(device_count());
#ifdef KIT_CPU
    demo.table("steal", std::to_string(kTasks) + " tasks of uneven length: who does how many, counted",
               {"tasks of PE 0", 14}, {{"own_0", 0, 6}, {"own_1", 0, 6}, {"all_done", 0, 9}});
#else
    demo.table("steal",
               std::to_string(kTasks) + " tasks of uneven length, " + std::to_string(pes) +
                   " PEs with full grids: microseconds until the first and the last PE have finished",
               {"tasks of PE 0", 14},
               {{"own_0", 0, 8},
                {"static_us", 0, 10},
                {"first_us", 0, 9},
                {"last_us", 0, 9},
                {"done_least", 0, 10},
                {"done_most", 0, 9}});
#endif
    for (const unsigned percent : {100u, 75u, 50u}) {
        std::vector<Words> inputs(pes, Words{static_cast<unsigned>(Ask::steal)});
        kit::Random random(18);
        for (unsigned i = 0; i < kTasks; ++i) {  // one in eight tasks is long
            const auto most = static_cast<int>(random.integer(0, 7) == 0 ? kLongest : kLongest / 40);
            inputs[i < kTasks / 4 * (percent / 25) ? 0 : 1 + i % (pes - 1)].push_back(
                static_cast<unsigned>(random.integer(0, most)));
        }
        const auto answers = pes::begin(job_of_pe, inputs);
        if (!answers ||
            std::any_of(answers->begin(), answers->end(), [](const Words& one) { return one.empty(); })) {
            demo.say("steal: a PE has ended");
            std::exit(EXIT_FAILURE);
        }
        const std::string id = "p" + std::to_string(percent), label = std::to_string(percent) + "%";
        const auto own = [&](std::size_t pe) { return inputs[pe].size() - 1; };
#ifdef KIT_CPU
        unsigned all = 0;
        for (const Words& one : *answers) all += one[2];
        demo.row(id, label, {own(0), own(1), static_cast<int>(all)});
#else
        std::vector<double> shares, first, last;
        const std::size_t end = (*answers)[0].size();
        for (std::size_t i = 0; i + 2 < end; i += 3) {
            shares.push_back(slowest(*answers, i) / 1000.0);
            first.push_back(fastest(*answers, i + 1) / 1000.0);
            last.push_back(slowest(*answers, i + 1) / 1000.0);
        }
        demo.row(id, label,
                 {own(0), median(shares), median(first), median(last), fastest(*answers, end - 1),
                  slowest(*answers, end - 1)});
#endif
    }
}

}  // namespace multi_gpu_demo

#else

namespace multi_gpu_demo {

inline void puts(kit::demo::Demo&) {}
inline void steals(kit::demo::Demo&) {}

}  // namespace multi_gpu_demo

#endif
