// Compares v7 (kernels that send) with copies that the host queues, and v8 (stealing tasks) with static shares. For the demo.
// PEs are host threads on the executor and processes on GPUs (18_multi_gpu/begin_pes.hpp); each PE has a device.
#pragma once

#include "two_gpus.cuh"
#ifndef KIT_WITHOUT_NVSHMEM

#include <algorithm>
#include <chrono>
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

/// Performs the tasks of this PE, without regard to the other PEs.
__global__ void own_tasks(int* tickets, const unsigned* steps, const int* count, unsigned* results,
                          int* done) {
    while (true) {
        const int ticket = atomicAdd(tickets, 1);
        if (ticket >= *count) return;
        unsigned value = 1;
        for (unsigned i = 0; i < steps[ticket]; ++i) value = 1664525u * value + 1013904223u;
        results[ticket] = value;
        atomicAdd(done, 1);
    }
}

constexpr std::size_t kMostTasks = 1 << 14;

/// A job of one PE, whose tasks are `steps`. Returns, for each repetition, the time with static shares, the time with stealing,
/// and how many tasks the PE has performed with stealing.
inline Words steal(int pe, int pes, const Words& steps) {
    pes::Symmetric<int> tickets(1), count(1);
    pes::Symmetric<unsigned> tasks(kMostTasks), results(kMostTasks);
    tasks.fill(steps);
    count.fill({static_cast<int>(steps.size())});
    kit::DeviceBuffer<int> done(static_cast<std::size_t>(pes));
    const kit::Stream stream;
    Words answer;
    for (int i = 0; i < kRepetitions; ++i) {
        tickets.fill({0});
        done.clear();
        answer.push_back(nanoseconds(stream, [&] {
            own_tasks<<<1, multi_gpu::kTakers, 0, stream>>>(tickets.data(), tasks.data(), count.data(),
                                                            results.data(), done.data() + pe);
            CUDA_CHECK_LAUNCH();
        }));
        tickets.fill({0});
        done.clear();
        answer.push_back(nanoseconds(stream, [&] {
            multi_gpu::run_tasks({tickets.data(), tasks.data(), count.data(), results.data()}, done.data(),
                                 stream);
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
    return steal(pe, pes, {input.begin() + 1, input.end()});
}

__global__ void scale(const unsigned* arrived, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * arrived[i] + 1;
}

/// The same work as v7 for two devices, queued by the host: in both directions one copy, one event and one kernel per piece.
class ByCopies {
  public:
    explicit ByCopies(int n) : n_(n) {}

    double milliseconds(int piece) {
        return multi_gpu_demo::milliseconds(kRepetitions, [&] {
            for (int first = 0; first < n_; first += piece)
                for (int from : {0, 1}) send(from, first, std::min(piece, n_ - first));
        });
    }

  private:
    void send(int from, int first, int size) {
        const int to = 1 - from;
        CUDA_CHECK(cudaSetDevice(from));
        CUDA_CHECK(cudaMemcpyPeerAsync(arrived_[to].data() + first, to, mine_[from].data() + first, from,
                                       static_cast<std::size_t>(size) * sizeof(unsigned), copies_[from]));
        CUDA_CHECK(cudaEventRecord(sent_[from], copies_[from]));
        CUDA_CHECK(cudaSetDevice(to));
        CUDA_CHECK(cudaStreamWaitEvent(kernels_[to], sent_[from]));
        scale<<<kit::ceil_div(size, kBlock), kBlock, 0, kernels_[to]>>>(arrived_[to].data() + first,
                                                                        out_[to].data() + first, size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaSetDevice(0));
    }

    int n_;
    std::size_t size_ = static_cast<std::size_t>(n_);
    Memory mine_[2] = {{0, size_, 1}, {1, size_, 2}}, arrived_[2] = {{0, size_, 0}, {1, size_, 0}},
           out_[2] = {{0, size_, 0}, {1, size_, 0}};
    kit::Stream copies_[2] = {kit::Stream(0), kit::Stream(1)}, kernels_[2] = {kit::Stream(0), kit::Stream(1)};
    kit::Event sent_[2] = {kit::Event(0), kit::Event(1)};
};

/// Compares v7 with copies of pieces of the same size, and with one copy in each direction.
inline void puts(Demo& demo) {
    if (!demo.part("put")) return;
#ifdef KIT_CPU
    demo.table("put", "n values to the right neighbour, two PEs, in pieces of 256: kernels, counted",
               {"values", 8}, {{"pieces", 0, 6}, {"put_kernels", 0, 11}, {"copy_kernels", 0, 12}});
    const std::vector<int> all_pieces = {1, 4, 16};
#else
    demo.table("put", "n values to the right neighbour, two PEs, in pieces of 256: microseconds",
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
        const auto answers = pes::begin(job_of_pe, {input, input});
        const auto right = [](const Words& answer) { return !answer.empty() && answer[0] == 1; };
        if (!answers || !right((*answers)[0]) || !right((*answers)[1])) {
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
        for (std::size_t i = 1; i < (*answers)[0].size(); ++i)
            times.push_back(std::max((*answers)[0][i], (*answers)[1][i]) / 1000.0);
        ByCopies copies(n);
        demo.row(id, label,
                 {pieces, median(times), median(times) / pieces, copies.milliseconds(kBlock) * 1000,
                  copies.milliseconds(n) * 1000});
#endif
    }
}

/// Compares v8 with static shares: how long each PE works, and on how many tasks.
inline void steals(Demo& demo) {
    if (!demo.part("steal")) return;
    constexpr unsigned tasks = kRepetitions > 1 ? 8192 : 256, longest = kRepetitions > 1 ? 40000 : 200;
#ifdef KIT_CPU
    demo.table("steal", std::to_string(tasks) + " tasks of uneven length: who does how many, counted",
               {"tasks of PE 0", 14}, {{"own_0", 0, 6}, {"own_1", 0, 6}, {"all_done", 0, 9}});
#else
    demo.table("steal",
               std::to_string(tasks) + " tasks of uneven length, two PEs of 32 threads: microseconds",
               {"tasks of PE 0", 14},
               {{"own_0", 0, 6},
                {"own_1", 0, 6},
                {"static_us", 0, 10},
                {"steal_0_us", 0, 11},
                {"steal_1_us", 0, 11},
                {"done_0", 0, 7},
                {"done_1", 0, 7}});
#endif
    for (const unsigned percent : {100u, 75u, 50u}) {
        std::vector<Words> inputs(2, Words{static_cast<unsigned>(Ask::steal)});
        kit::Random random(18);
        for (unsigned i = 0; i < tasks; ++i) {  // one in eight tasks is long
            const auto most = static_cast<int>(random.integer(0, 7) == 0 ? longest : longest / 40);
            inputs[i < tasks * percent / 100 ? 0 : 1].push_back(
                static_cast<unsigned>(random.integer(0, most)));
        }
        const auto answers = pes::begin(job_of_pe, inputs);
        if (!answers || (*answers)[0].empty() || (*answers)[1].empty()) {
            demo.say("steal: a PE has ended");
            std::exit(EXIT_FAILURE);
        }
        const Words &zero = (*answers)[0], &one = (*answers)[1];
        const std::string id = "p" + std::to_string(percent), label = std::to_string(percent) + "%";
        const auto own = [&](int pe) { return inputs[static_cast<std::size_t>(pe)].size() - 1; };
#ifdef KIT_CPU
        demo.row(id, label, {own(0), own(1), static_cast<int>(zero[2] + one[2])});
#else
        std::vector<double> shares, first, second;
        for (std::size_t i = 0; i + 2 < zero.size(); i += 3) {
            shares.push_back(std::max(zero[i], one[i]) / 1000.0);
            first.push_back(zero[i + 1] / 1000.0);
            second.push_back(one[i + 1] / 1000.0);
        }
        demo.row(id, label,
                 {own(0), own(1), median(shares), median(first), median(second), zero.back() + 0.0,
                  one.back() + 0.0});
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
