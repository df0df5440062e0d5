// Demo of 13_streams: which work overlaps, and the cost of waiting. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.13_streams
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/13_streams/demo.cu
//            solutions/13_streams/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/13_streams [--help]
//
//   v1 one_lane          v2 process       v3 in_a_row       v4 run_rounds
//   v5 smooth_and_wait   v6 smooth        v8 sum_and_wait   v9 sum_batches
//
//   overlap     v1 and v2 with pinned and with ordinary memory, and each of their three parts alone
//   balance     v2 with increasing arithmetic, compared with the longer of copies and kernels
//   chunks      v2 with chunks of many sizes
//   exchange    v3 and v4
//   memory      v5, and v6 with a pool that keeps its memory and with one that does not
//   telling     v8 and v9
//   frees       times of cudaFree, cudaFreeAsync and other calls while a kernel runs in another stream
//
// On a GPU: times by the host's clock, from the first call until the work has finished. On the CPU executor: pieces of work,
// steps and waits, and the timelines of v1, v2 and v4.

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "13_streams/13_streams.hpp"
#include "demo.hpp"
#include "handles.hpp"
#include "kit.cuh"
#include "overlap_tables.cuh"
#include "rows.hpp"

namespace {

using namespace streams_demo;
using kit::Event;

// ---- v3, v4 ----

struct Rounds {
    static constexpr int rounds = 12;
    Stream caller, producer, consumer;
    Event begin, end, filled[2], emptied[2];
    kit::DeviceBuffer<unsigned int> seed, slot0, slot1, out;
    std::vector<unsigned int> want;

    explicit Rounds(int n) : seed(std::vector<unsigned int>(n, 5)), slot0(n), slot1(n), out(n) {
        out.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
        streams::in_a_row(exchange(), rounds, caller);  // the reference for v4
        CUDA_CHECK(cudaStreamSynchronize(caller));
        want = out.to_vector();
    }
    streams::Exchange exchange() {
        return {seed.data(), {slot0.data(), slot1.data()}, out.data(), static_cast<int>(seed.size())};
    }
    streams::Stages stages() {
        return {producer, consumer, begin, end, {filled[0], filled[1]}, {emptied[0], emptied[1]}};
    }
    void start() { CUDA_CHECK(cudaMemsetAsync(out.data(), 0, out.size() * sizeof(unsigned int), caller)); }
    void v3() {
        start();
        streams::in_a_row(exchange(), rounds, caller);
    }
    void v4() {
        start();
        streams::run_rounds(exchange(), rounds, stages(), caller);
    }
    bool right() {
        CUDA_CHECK(cudaStreamSynchronize(caller));
        const bool same = out.to_vector() == want;
        out.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
        return same;
    }
};

void exchange(Demo& demo) {
    if (!demo.part("exchange")) return;
    for (const int n :
         on_gpu ? std::vector<int>{1 << 12, 1 << 16, 1 << 20, 1 << 24} : std::vector<int>{1 << 10}) {
        Rounds r(n);
        const auto right = [&] { return r.right(); };
        const std::string name = on_gpu ? "exchange_" + std::to_string(n) : "exchange";
        if (on_gpu) {
            demo.table(name, "12 rounds of two kernels, " + std::to_string(n) + " values", {"version", 34},
                       {{"milliseconds", 3, 12}});
            const double v3 = milliseconds(demo, [&] { r.v3(); });
            must_be(right(), "v3");
            demo.row("v3", "v3  in a row", {v3});
            const double v4 = milliseconds(demo, [&] { r.v4(); });
            must_be(right(), "v4");
            demo.row("v4", "v4  two streams, two slots", {v4});
            continue;
        }
        compare(demo, name, "12 rounds of two kernels",
                {{"v3", "v3  in a row", [&] { r.v3(); }, right},
                 {"v4", "v4  two streams, two slots", [&] { r.v4(); }, right}});
        draw(demo, "v4: four rounds", [&] { streams::run_rounds(r.exchange(), 4, r.stages(), r.caller); });
    }
}

// ---- v5, v6 ----

void memory(Demo& demo) {
    if (!demo.part("memory")) return;
    constexpr int calls = 100;
    const int n = on_gpu ? 1 << 20 : 1 << 10;
    Stream stream;
    const kit::DeviceBuffer<int> in(std::vector<int>(n, 3));
    kit::DeviceBuffer<int> out(n);
    const auto right = [&] {
        const bool all = out.to_vector() == std::vector<int>(n, 12);
        out.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
        return all;
    };
    const auto times = [&](auto smooth, bool wait) {
        return [&, smooth, wait] {
            for (int i = 0; i < calls; ++i) {
                smooth(in.data(), out.data(), n, stream);
                if (wait) CUDA_CHECK(cudaStreamSynchronize(stream));
            }
        };
    };
    streams::keep_memory(0);
    compare(demo, "memory", "100 times two kernels with scratch memory of " + std::to_string(n) + " values",
            {{"v5", "v5  cudaMalloc, cudaFree", times(streams::smooth_and_wait, false), right},
             {"v6", "v6  in the stream", times(streams::smooth, false), right},
             {"v6w", "v6  and a wait for each", times(streams::smooth, true), right},
             {"v6k", "v6  and a wait, the pool keeps it",
              [&] {
                  streams::keep_memory(~0ull);
                  times(streams::smooth, true)();
              },
              right}});
    streams::keep_memory(0);
}

// ---- v8, v9 ----

void telling(Demo& demo) {
    if (!demo.part("telling")) return;
    const int n = on_gpu ? 1 << 16 : 1 << 10, batches = on_gpu ? 64 : 8;
    Stream stream;
    const kit::DeviceBuffer<int> in(std::vector<int>(static_cast<std::size_t>(n) * batches, 2));
    kit::DeviceBuffer<unsigned long long> totals(batches);
    unsigned long long* host_totals = nullptr;
    CUDA_CHECK(cudaMallocHost(&host_totals, batches * sizeof(unsigned long long)));
    unsigned long long told = 0;
    const streams::Batches all = {
        in.data(),
        n,
        batches,
        totals.data(),
        host_totals,
        [](void* told, int, unsigned long long total) { *static_cast<unsigned long long*>(told) += total; },
        &told};
    const auto right = [&] { return told == 2ull * n * batches; };
    compare(demo, "telling", std::to_string(batches) + " sums of " + std::to_string(n) + " values",
            {{"v8", "v8  the host waits for each",
              [&] {
                  told = 0;
                  streams::sum_and_wait(all, stream);
              },
              right},
             {"v9", "v9  host functions",
              [&] {
                  told = 0;
                  streams::sum_batches(all, stream);
              },
              right}});
    CUDA_CHECK(cudaFreeHost(host_totals));
}

// ---- cudaFree waits ----

#ifndef KIT_CPU
__global__ void stay_busy(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

/// Returns the microseconds of one call while a kernel runs for about 10 ms in a non-blocking stream.
template <class Call>
double beside_a_kernel(Stream& busy, Call call) {
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        stay_busy<<<1, 32, 0, busy>>>(20000000);
        CUDA_CHECK_LAUNCH();
        times.push_back(call());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    std::sort(times.begin(), times.end());
    return times[2];
}

template <class Call>
double microseconds(Call call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void frees(Demo& demo) {
    if (!demo.part("frees")) return;
    demo.table("frees", "calls while a kernel of 10 ms runs in a non-blocking stream", {"call", 36},
               {{"microseconds", 1, 12}});
    Stream busy, other;
    std::vector<char> host(4096);
    kit::DeviceBuffer<char> target(4096);
    const auto row = [&](const char* id, const char* label, auto call) {
        const double time = beside_a_kernel(busy, call);
        demo.row(id, label, {time});
    };
    row("malloc", "cudaMalloc", [&] {
        void* memory = nullptr;
        const double time = microseconds([&] { CUDA_CHECK(cudaMalloc(&memory, 1 << 20)); });
        CUDA_CHECK(cudaFree(memory));
        return time;
    });
    void* next = nullptr;
    CUDA_CHECK(cudaMalloc(&next, 1 << 20));
    row("free", "cudaFree", [&] {
        const double time = microseconds([&] { CUDA_CHECK(cudaFree(next)); });
        CUDA_CHECK(cudaMalloc(&next, 1 << 20));
        return time;
    });
    CUDA_CHECK(cudaFree(next));
    row("malloc_async", "cudaMallocAsync, cudaFreeAsync", [&] {
        return microseconds([&] {
            void* memory = nullptr;
            CUDA_CHECK(cudaMallocAsync(&memory, 1 << 20, other));
            CUDA_CHECK(cudaFreeAsync(memory, other));
        });
    });
    row("memcpy", "cudaMemcpy to the device, 4 KiB", [&] {
        return microseconds(
            [&] { CUDA_CHECK(cudaMemcpy(target.data(), host.data(), host.size(), cudaMemcpyHostToDevice)); });
    });
    row("stream", "cudaStreamSynchronize of another one",
        [&] { return microseconds([&] { CUDA_CHECK(cudaStreamSynchronize(other)); }); });
}
#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"13_streams",
               "what runs beside what, and what a wait costs",
               1 << 26,
               1 << 12,
               1 << 28,
               {},
               {"overlap", "balance", "chunks", "exchange", "memory", "telling", "frees"}},
              argc, argv);
    overlap(demo);
    exchange(demo);
    memory(demo);
    telling(demo);
#ifndef KIT_CPU
    frees(demo);
#else
    demo.say("%s", "");
    demo.say("Counted, not timed: the executor's times would say nothing about a GPU.");
#endif
    return demo.finish();
}
