// Demo of 13_streams: what runs beside what, and what a wait costs. Runs the solutions themselves.
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
//   balance     v2 with more and more to compute: how near to the longer of copies and kernels it comes
//   chunks      v2 over the size of a chunk
//   exchange    v3 and v4
//   memory      v5 and v6, the latter with a pool that keeps its memory and one that does not
//   telling     v8 and v9
//   frees       how long cudaFree and cudaFreeAsync take while a kernel runs in another stream
//
// On a GPU: times by the host's clock, from the first call until the work is done. On the CPU executor: pieces of work, steps and
// waits, and the timelines of v1, v2 and v4.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "13_streams/13_streams.hpp"
#include "demo.hpp"
#include "grader/calls.hpp"
#include "handles.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

namespace {

using kit::Event;
using kit::Stream;
using kit::demo::Demo;

#ifdef KIT_CPU
constexpr bool on_gpu = false;
#else
constexpr bool on_gpu = true;
#endif

/// Milliseconds of a run until the device is done: the median.
double milliseconds(Demo& demo, const std::function<void()>& run) {
    std::vector<double> times;
    const int repetitions = demo.repetitions(11);
    for (int i = 0; i <= repetitions; ++i) {  // the first one warms up
        CUDA_CHECK(cudaDeviceSynchronize());
        const auto begin = std::chrono::steady_clock::now();
        run();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (i > 0) times.push_back(time.count());
    }
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    return times[repetitions / 2];
}

void must_be(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "%s: the result is wrong\n", what);
    std::exit(EXIT_FAILURE);
}

/// A line of a table: what runs, and how its result is judged.
struct Row {
    std::string id, label;
    std::function<void()> run;
    std::function<bool()> right;
};

/// Times on a GPU; on the executor pieces of work, steps and waits.
void compare(Demo& demo, const std::string& table, const std::string& title, const std::vector<Row>& rows) {
    if (!demo.part(table)) return;
    if (on_gpu)
        demo.table(table, title, {"version", 34}, {{"milliseconds", 3, 12}});
    else
        demo.table(table, title + ", counted", {"version", 34},
                   {{"pieces", 0, 6}, {"steps", 0, 5}, {"waits", 0, 5}});
    for (const Row& row : rows) {
        if (!demo.wants(row.id)) continue;
        if (on_gpu) {
            const double time = milliseconds(demo, row.run);
            must_be(row.right(), row.label.c_str());
            demo.row(row.id, row.label, {time});
            continue;
        }
#ifdef KIT_CPU
        kit::Calls calls;
        CUDA_CHECK(cudaDeviceSynchronize());
        kit::cpu::begin_timeline();
        calls.in(row.run);
        const auto pieces = kit::cpu::take_timeline();
        CUDA_CHECK(cudaDeviceSynchronize());
        must_be(row.right(), row.label.c_str());
        unsigned steps = 0;
        for (const auto& piece : pieces) steps = std::max(steps, piece.step);
        demo.row(row.id, row.label, {pieces.size(), static_cast<int>(steps), calls.waits});
#endif
    }
}

/// The picture of what `run` queues.
void draw([[maybe_unused]] Demo& demo, [[maybe_unused]] const char* name,
          [[maybe_unused]] const std::function<void()>& run) {
#ifdef KIT_CPU
    kit::cpu::begin_timeline();
    run();
    const std::string picture = kit::cpu::in_words(kit::cpu::take_timeline(), 76);
    CUDA_CHECK(cudaDeviceSynchronize());
    demo.say("%s", "");
    demo.say("%s", name);
    for (std::size_t begin = 0, end; (end = picture.find('\n', begin)) != std::string::npos; begin = end + 1)
        demo.say("%s", picture.substr(begin, end - begin).c_str());
#endif
}

// ---- v1, v2 ----

constexpr int kRounds = on_gpu ? 1000 : 4;  // a GPU shall have something to compute, too
constexpr int kChunks = 16;

unsigned int advanced(unsigned int x, int rounds) {
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    return x;
}

/// What v1 and v2 compute, to be timed alone.
__global__ void advance_alone(unsigned int* values, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int x = values[i];
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    values[i] = x;
}

/// Lanes for chunks of one size, and host memory of both kinds.
struct Overlap {
    Stream streams[streams::kLanes];
    std::vector<kit::DeviceBuffer<unsigned int>> memory;
    streams::Channel pinned, ordinary;
    std::vector<unsigned int> in, out;
    int chunk, rounds = kRounds;

    Overlap(int n, int chunk) : in(n), out(n), chunk(chunk) {
        for (int i = 0; i < streams::kLanes; ++i) memory.emplace_back(chunk);
        pinned = streams::open_channel(n);
        for (int i = 0; i < n; ++i) pinned.in[i] = in[i] = 2654435761u * i;
        ordinary = {in.data(), out.data(), n};
    }
    ~Overlap() { streams::close_channel(pinned); }
    Overlap(const Overlap&) = delete;
    Overlap& operator=(const Overlap&) = delete;

    streams::Lane lane(int i) { return {streams[i], memory[i].data()}; }

    void one_lane(const streams::Channel& channel) { streams::one_lane(channel, chunk, rounds, lane(0)); }
    void process(const streams::Channel& channel) {
        const streams::Lane lanes[streams::kLanes] = {lane(0), lane(1), lane(2)};
        streams::process(channel, chunk, rounds, lanes);
    }
    /// Nine values, among them the ends; then nothing is left of them.
    bool right(const streams::Channel& channel) const {
        bool right = true;
        for (int k = 0; k <= 8; ++k) {
            const int i = static_cast<int>(static_cast<long long>(channel.n - 1) * k / 8);
            right = right && channel.out[i] == advanced(channel.in[i], rounds);
        }
        std::fill(channel.out, channel.out + channel.n, 0u);
        return right;
    }
};

void overlap(Demo& demo) {
    if (!demo.part("overlap") && !demo.part("balance") && !demo.part("chunks")) return;
    if (!on_gpu) {
        Overlap few(4 * 64, 64);
        draw(demo, "v1: four chunks, one lane", [&] { few.one_lane(few.pinned); });
        draw(demo, "v2: four chunks, three lanes", [&] { few.process(few.pinned); });
    }
    const int n = static_cast<int>(demo.n());
    Overlap o(n, std::max(1, n / kChunks));
    const auto each_chunk = [&](auto work) {
        return [&o, work, n] {
            for (int first = 0; first < n; first += o.chunk) work(first, std::min(o.chunk, n - first));
        };
    };
    const auto always = [] { return true; };
    const auto pinned = [&] { return o.right(o.pinned); };
    const auto ordinary = [&] { return o.right(o.ordinary); };
    const streams::Lane lane = o.lane(0);
    const auto kernels = each_chunk([&](int, int size) {
        advance_alone<<<kit::ceil_div(size, streams::kBlock), streams::kBlock, 0, lane.stream>>>(
            lane.values, size, o.rounds);
        CUDA_CHECK_LAUNCH();
    });
    const std::size_t value = sizeof(unsigned int);
    const streams::Lane back = o.lane(1);
    const auto both_ways = each_chunk([&](int first, int size) {
        CUDA_CHECK(cudaMemcpyAsync(lane.values, o.pinned.in + first, size * value, cudaMemcpyHostToDevice,
                                   lane.stream));
        CUDA_CHECK(cudaMemcpyAsync(o.pinned.out + first, back.values, size * value, cudaMemcpyDeviceToHost,
                                   back.stream));
    });
    std::vector<Row> rows = {
        {"in", "copies in alone", each_chunk([&](int first, int size) {
             CUDA_CHECK(cudaMemcpyAsync(lane.values, o.pinned.in + first, size * value,
                                        cudaMemcpyHostToDevice, lane.stream));
         }),
         always},
        {"out", "copies out alone", each_chunk([&](int first, int size) {
             CUDA_CHECK(cudaMemcpyAsync(o.pinned.out + first, lane.values, size * value,
                                        cudaMemcpyDeviceToHost, lane.stream));
         }),
         always},
        {"both", "copies in and out at once, alone", both_ways, always},
        {"kernels", "kernels alone", kernels, always},
        {"v1", "v1  one lane", [&] { o.one_lane(o.pinned); }, pinned},
        {"v1o", "v1  one lane, ordinary memory", [&] { o.one_lane(o.ordinary); }, ordinary},
        {"v2o", "v2  three lanes, ordinary memory", [&] { o.process(o.ordinary); }, ordinary},
        {"v2", "v2  three lanes", [&] { o.process(o.pinned); }, pinned}};
    compare(demo, "overlap", std::to_string(n) + " values in " + std::to_string(kChunks) + " chunks", rows);
    if (on_gpu && demo.part("balance")) {
        demo.table("balance", "v2 in 16 chunks, with more and more to compute: milliseconds",
                   {"rounds of a value", 20},
                   {{"copies", 3, 8}, {"kernels", 3, 8}, {"v2", 3, 8}, {"of_longest", 3, 10}});
        const double copies = milliseconds(demo, both_ways);
        for (const int rounds : {250, 1000, 4000, 16000}) {
            o.rounds = rounds;
            const double computing = milliseconds(demo, kernels),
                         time = milliseconds(demo, [&] { o.process(o.pinned); });
            must_be(pinned(), "balance");
            demo.row("r" + std::to_string(rounds), std::to_string(rounds),
                     {copies, computing, time, std::max(copies, computing) / time});
        }
        o.rounds = kRounds;
    }
    if (!on_gpu || !demo.part("chunks")) return;
    demo.table("chunks", "v2, " + std::to_string(n) + " values in chunks of a size",
               {"values of a chunk", 20}, {{"chunks", 0, 8}, {"milliseconds", 3, 12}});
    for (int power = 12; power <= 25 && (1 << power) <= n; power += 2) {
        o.chunk = 1 << power;
        o.memory.clear();
        for (int i = 0; i < streams::kLanes; ++i) o.memory.emplace_back(o.chunk);
        const double time = milliseconds(demo, [&] { o.process(o.pinned); });
        must_be(pinned(), "chunks");
        demo.row(std::to_string(o.chunk), std::to_string(o.chunk), {kit::ceil_div(n, o.chunk), time});
    }
}

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
        streams::in_a_row(exchange(), rounds, caller);  // to judge the other by
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

/// Microseconds of one call while a kernel runs for about 10 ms in a non-blocking stream.
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
