// Demo of 09_warp_primitives: what the lanes of a warp can do together, and what divergence costs. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.09_warp_primitives
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/09_warp_primitives/demo.cu
//            solutions/09_warp_primitives/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/09_warp_primitives [--help]
//
//   compact      v4 one vote per 32 values, a scan by shuffles, and CUB's DeviceSelect
//   keep         v5 one atomic per kept value, v6 one per warp, others, and CUB's DeviceSelect; kept: by share of kept values
//   keys         v7 one atomic per value, v8 one per warp and key, by the number of keys
//   position     v9 lanes alternate, v10 warps alternate        value   v11 as they come, v12 gathered first
//   turns        arithmetic on two alternating paths            lanes   a long path for 1 to 32 lanes of each warp
//   sums         ways to sum over a warp                        counted  counts of the CPU executor
//
// Times on a GPU only; the CPU executor counts.

#include <algorithm>
#include <string>
#include <vector>

#include "demo.hpp"
#include "kernels.cuh"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#include <kit_cpu/profile.hpp>
#else
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_select.cuh>
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using namespace warp_demo;

int blocks_for(long long n) {
    return static_cast<int>(kit::ceil_div<long long>(n, kBlock));
}

#ifndef KIT_CPU
double us_of(const std::function<void()>& run, int repetitions = 21) {
    kit::TimeOptions options;
    options.repetitions = repetitions;
    return 1000 * kit::time(run, 0, options).median_ms;
}

struct IsPositive {
    __host__ __device__ bool operator()(int value) const { return value > 0; }
};
#endif

/// Values, and the buffers for the kept ones.
struct Kept {
    kit::DeviceBuffer<int> in, out, counts;
    kit::DeviceBuffer<unsigned int> count;
    kit::DeviceBuffer<char> scratch;  ///< CUB's
    std::vector<int> want;            ///< in order

    Kept(int n, unsigned int of_64) : in(n), out(n), counts(n / 32 + 1), count(1) {
        fill_values<<<1024, kBlock>>>(in.data(), n, of_64);
        CUDA_CHECK_LAUNCH();
        for (const int value : in.to_vector())
            if (value > 0) want.push_back(value);
        out.clear();
        count.clear();
#ifndef KIT_CPU
        std::size_t bytes = 0;
        CUDA_CHECK(
            cub::DeviceSelect::If(nullptr, bytes, in.data(), out.data(), count.data(), n, IsPositive{}));
        scratch = kit::DeviceBuffer<char>(bytes);
#endif
    }

    template <class Kernel>
    void launch(Kernel kernel) {
        CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(unsigned int)));
        kernel<<<blocks_for(static_cast<long long>(in.size())), kBlock>>>(
            in.data(), static_cast<int>(in.size()), out.data(), count.data());
        CUDA_CHECK_LAUNCH();
    }
#ifndef KIT_CPU
    void select() {
        std::size_t bytes = scratch.size();
        CUDA_CHECK(cub::DeviceSelect::If(scratch.data(), bytes, in.data(), out.data(), count.data(),
                                         static_cast<int>(in.size()), IsPositive{}));
    }
#endif
    void take_plain() {
        keep_positive_plain(in.data(), static_cast<int>(in.size()), out.data(), count.data());
    }
    void take() {
        keep_positive(in.data(), static_cast<int>(in.size()), out.data(), count.data());
    }

    /// Returns whether the output has the correct values, in any order, by a sum over their hashes. Then clears the output.
    bool right() {
        std::vector<int> got = out.to_vector();
        const unsigned int kept = count.to_vector()[0];
        out.clear();
        count.clear();
        if (kept != want.size()) return false;
        got.resize(want.size());
        return sum_of(got) == sum_of(want);
    }

    static std::uint64_t sum_of(const std::vector<int>& values) {
        std::uint64_t sum = 0;
        for (const int value : values) sum += std::uint64_t{hash(static_cast<std::uint32_t>(value))} << 20;
        return sum;
    }
};

/// v5, v6 and other ways to keep values. CUB does more, because it keeps the order.
void keep(Demo& demo) {
    if (!demo.part("keep")) return;
    const int n = static_cast<int>(demo.n());
    Kept kept(n, 32);
    const auto right = [&](long long) { return kept.right(); };
    std::vector<Version> versions = {
        {"v5", "one atomic per value", "", [&](long long) { kept.take_plain(); }, right},
        {"one_by_one", "by atomicInc", "The same, by another operation.",
         [&](long long) { kept.launch(keep_one_by_one); }, right},
        {"opportunistic", "whoever is here", "A group of the lanes that happen to be here asks together.",
         [&](long long) { kept.launch(keep_opportunistic); }, right},
        {"v6", "one atomic per warp", "All lanes vote, and one asks for all.",
         [&](long long) { kept.take(); }, right},
        {"block", "one atomic per block", "The warps' votes meet in shared memory.",
         [&](long long) { kept.launch(keep_by_block); }, right},
#ifndef KIT_CPU
        {"cub", "CUB DeviceSelect::If (in order)", "", [&](long long) { kept.select(); }, right, true},
#endif
    };
    Work work;
    work.n = n;
    work.bytes = 4.0 * (n + static_cast<double>(kept.want.size()));
    work.repetitions = 30;
    demo.ladder("keep", "the positive ones of " + std::to_string(n) + " ints, half of them, in any order",
                work, versions);
}

#ifndef KIT_CPU
void by_how_many(Demo& demo) {
    if (!demo.part("kept")) return;
    const int n = static_cast<int>(demo.n());
    demo.table(
        "kept", "the same with " + std::to_string(n) + " ints, by how many are kept: microseconds",
        {"kept", 12},
        {{"percent", 1}, {"v5_us", 1}, {"one_by_one_us", 1}, {"v6_us", 1}, {"block_us", 1}, {"cub_us", 1}});
    for (const unsigned int of_64 : {0u, 1u, 4u, 16u, 32u, 64u}) {
        Kept kept(n, of_64);
        const double percent = 100.0 * static_cast<double>(kept.want.size()) / n;
        const double plain = us_of([&] { kept.take_plain(); });
        const double one = us_of([&] { kept.launch(keep_one_by_one); }, 5);
        const double warp = us_of([&] { kept.take(); });
        const double block = us_of([&] { kept.launch(keep_by_block); });
        const double cub = us_of([&] { kept.select(); });
        demo.row("k" + std::to_string(of_64), std::to_string(of_64) + " of 64",
                 {percent, plain, one, warp, block, cub});
    }
}
#endif

/// v4 and others. CUB's DeviceSelect treats the whole array as one row.
void compact(Demo& demo) {
    if (!demo.part("compact")) return;
    constexpr int columns = 1024;
    const int rows = static_cast<int>(demo.n() / columns), n = rows * columns;
    Kept kept(n, 32);
    const auto right = [&](long long) {
        const std::vector<int> got = kept.out.to_vector(), counts = kept.counts.to_vector();
        kept.out.clear();
        kept.counts.clear();
        std::size_t next = 0;
        for (int row = 0; row < rows; ++row) {
            const auto first = got.begin() + std::ptrdiff_t{row} * columns;
            if (next + static_cast<std::size_t>(counts[static_cast<std::size_t>(row)]) > kept.want.size())
                return false;
            const auto want = kept.want.begin() + static_cast<std::ptrdiff_t>(next);
            if (!std::equal(first, first + counts[static_cast<std::size_t>(row)], want)) return false;
            next += static_cast<std::size_t>(counts[static_cast<std::size_t>(row)]);
        }
        return next == kept.want.size();
    };
    std::vector<Version> versions = {
        {"shuffles", "a scan by shuffles", "The place of a value by five shuffles.",
         [&](long long) {
             compact_by_shuffles<<<kit::ceil_div(rows, kBlock / kLanes), kBlock>>>(
                 kept.in.data(), rows, columns, kept.out.data(), kept.counts.data());
             CUDA_CHECK_LAUNCH();
         },
         right},
        {"v4", "a vote", "The place of a value by one vote.",
         [&](long long) {
             ballot_compact(kept.in.data(), rows, columns, kept.out.data(), kept.counts.data());
         },
         right},
#ifndef KIT_CPU
        {"cub", "CUB DeviceSelect::If (one row)", "", [&](long long) { kept.select(); },
         [&](long long) { return kept.right(); }, true},
#endif
    };
    Work work;
    work.n = n;
    work.bytes = 4.0 * (n + static_cast<double>(kept.want.size()));
    work.repetitions = 30;
    demo.ladder("compact",
                "the positive ones of " + std::to_string(rows) + " rows of 1024 ints, in order, half of them",
                work, versions);
}

#ifndef KIT_CPU
/// v7 and v8 by the number of keys. CUB's histogram only counts, so it does not read values.
void keys(Demo& demo) {
    if (!demo.part("keys")) return;
    const int n = static_cast<int>(std::min(demo.n(), 1ll << 24));
    demo.table("keys",
               std::to_string(n) + " values, each to the sum of its key: microseconds (CUB: only counts)",
               {"keys", 8},
               {{"keys", 0, 7}, {"v7_us", 1}, {"v8_us", 1}, {"match_us", 1}, {"redux_us", 1}, {"cub_us", 1}});
    kit::DeviceBuffer<int> key(n), value(std::vector<int>(static_cast<std::size_t>(n), 1));
    for (const int count : {1, 8, 32, 256, 4096, 65536}) {
        fill_keys<<<1024, kBlock>>>(key.data(), n, count);
        CUDA_CHECK_LAUNCH();
        std::vector<int> want(static_cast<std::size_t>(count), 0);
        for (const int k : key.to_vector()) ++want[static_cast<std::size_t>(k)];
        kit::DeviceBuffer<int> sums(static_cast<std::size_t>(count));
        std::size_t bytes = 0;
        CUDA_CHECK(cub::DeviceHistogram::HistogramEven(nullptr, bytes, key.data(), sums.data(), count + 1, 0,
                                                       count, n));
        kit::DeviceBuffer<char> scratch(bytes);
        const auto time = [&](const std::function<void()>& run) {
            const double us = us_of(run, 7);
            sums.clear();
            run();
            if (sums.to_vector() != want) demo.say("%d keys: the sums are wrong", count);
            return us;
        };
        const auto launch = [&](auto kernel) {
            CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.size() * sizeof(int)));
            kernel<<<blocks_for(n), kBlock>>>(key.data(), value.data(), n, sums.data());
            CUDA_CHECK_LAUNCH();
        };
        const double v7 = time([&] { sum_by_key_plain(key.data(), value.data(), n, sums.data(), count); });
        const double v8 = time([&] { sum_by_key(key.data(), value.data(), n, sums.data(), count); });
        const double match = time([&] { launch(sum_by_match); });
        const double redux = time([&] { launch(sum_by_redux); });
        const double cub = time([&] {
            CUDA_CHECK(cub::DeviceHistogram::HistogramEven(scratch.data(), bytes, key.data(), sums.data(),
                                                           count + 1, 0, count, n));
        });
        demo.row("k" + std::to_string(count), std::to_string(count), {count, v7, v8, match, redux, cub});
    }
}
#endif

/// Words, the table for climb() and fall(), and the results.
struct Ways {
    kit::DeviceBuffer<std::uint32_t> in, table, out;
    std::vector<std::uint32_t> words, steps;

    explicit Ways(int n) : in(n), table(kTable), out(n) {
        fill_words<<<1024, kBlock>>>(in.data(), n);
        fill_words<<<1, kBlock>>>(table.data(), kTable);
        CUDA_CHECK_LAUNCH();
        words = in.to_vector();
        steps = table.to_vector();
        out.clear();
    }

    template <class Want>
    bool right(Want want) {
        const std::vector<std::uint32_t> got = out.to_vector();
        out.clear();
        for (std::size_t i = 0; i < got.size(); i += 1 + got.size() / 10007)
            if (got[i] != want(i, words[i])) return false;
        return true;
    }
};

using WayFunction = void (*)(const std::uint32_t*, int, const std::uint32_t*, std::uint32_t*);

void ways(Demo& demo) {
    if (!demo.part("position") && !demo.part("value")) return;
    const int n = static_cast<int>(demo.n());
    Ways all(n);
    const auto version = [&](const char* id, const char* name, const char* change, WayFunction run,
                             bool by_value) {
        return Version{id, name, change,
                       [&all, run, n](long long) { run(all.in.data(), n, all.table.data(), all.out.data()); },
                       [&all, by_value](long long) {
                           return all.right([&](std::size_t i, std::uint32_t x) {
                               if (by_value) return is_long(x) ? climb(all.steps.data(), x) : x;
                               return i % 2 == 0 ? climb(all.steps.data(), x) : fall(all.steps.data(), x);
                           });
                       }};
    };
    Work work;
    work.n = n;
    work.bytes = 8.0 * n;
    demo.ladder(
        "position", std::to_string(n) + " values, even ones climb and odd ones fall", work,
        {version("v9", "lanes alternate", "", by_position_slow, false),
         version("v10", "warps alternate", "A warp has even elements, or odd ones.", by_position, false)});
    demo.ladder("value", std::to_string(n) + " values, one of four climbs", work,
                {version("v11", "as they come", "", by_value_slow, true),
                 version("v12", "gathered first", "A warp gathers those who climb.", by_value, true)});
}

#ifndef KIT_CPU
void turns(Demo& demo) {
    const int n = static_cast<int>(std::min(demo.n(), 1ll << 24));
    Ways all(n);
    if (demo.part("turns")) {
        constexpr int steps = 512;
        demo.table(
            "turns",
            std::to_string(n) + " threads, 512 multiply-adds in one of two ways, which change by turns",
            {"neighbours alike", 18}, {{"period", 0, 6}, {"us", 1}, {"of_one_way", 2}});
        double one_way = 0;
        for (const int period : {1 << 30, 1, 2, 8, 16, 24, 31, 32, 33, 64, 256}) {
            const double us = us_of([&] {
                by_turns<<<blocks_for(n), kBlock>>>(all.in.data(), n, period, steps, all.out.data());
                CUDA_CHECK_LAUNCH();
            });
            if (one_way == 0) one_way = us;
            const bool all_one = period == 1 << 30;
            demo.row(all_one ? "all" : "p" + std::to_string(period), all_one ? "all" : std::to_string(period),
                     {all_one ? 0 : period, us, us / one_way});
        }
    }
    if (demo.part("lanes")) {
        demo.table("lanes", std::to_string(n) + " threads, of which the first lanes of each warp climb",
                   {"lanes that climb", 18}, {{"lanes", 0, 6}, {"us", 1}});
        for (const int lanes : {0, 1, 2, 4, 8, 16, 32}) {
            const double us = us_of([&] {
                lanes_climb<<<blocks_for(n), kBlock>>>(all.in.data(), n, lanes, all.table.data(),
                                                       all.out.data());
                CUDA_CHECK_LAUNCH();
            });
            demo.row("l" + std::to_string(lanes), std::to_string(lanes), {lanes, us});
        }
    }
}

/// Measures sums per second on one multiprocessor that is full of warps.
void sums(Demo& demo) {
    if (!demo.part("sums")) return;
    int processors = 0, clock_khz = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
    constexpr int rounds = 256;
    const int blocks = processors * 8;
    kit::DeviceBuffer<int> out(static_cast<std::size_t>(blocks) * kBlock);
    demo.table(
        "sums",
        "sums of 32 ints by a warp, " + std::to_string(rounds) + " one after another, all warps at once",
        {"way", 34}, {{"us", 1}, {"cycles_per_sum", 1}});
    std::vector<int> first;
    const auto row = [&](const std::string& id, const std::string& name, auto way) {
        const double us = us_of([&] {
            sum_often<decltype(way)><<<blocks, kBlock>>>(rounds, out.data());
            CUDA_CHECK_LAUNCH();
        });
        if (first.empty()) first = out.to_vector();
        if (out.to_vector() != first) demo.say("%s: the sums are wrong", name.c_str());
        const double sums_per_processor = 8.0 * (kBlock / kLanes) * rounds;
        demo.row(id, name, {us, us * clock_khz / 1000 / sums_per_processor});
    };
    row("shared", "shared memory and __syncwarp", BySharedMemory{});
    row("shuffles", "5 shuffles", ByShuffles{});
    row("group", "reduce of cooperative groups", ByGroup{});
    row("redux", "__reduce_add_sync", ByInstruction{});
}
#else
/// Shows what the executor counted.
void counted(Demo& demo) {
    if (!demo.part("counted")) return;
    const int n = demo.given_n() ? static_cast<int>(demo.n()) : 1 << 16;
    demo.table("counted", "counted: of " + std::to_string(n) + " values", {"version", 22},
               {{"loads"}, {"lanes_per_load", 1}, {"divergent"}, {"atomics"}});
    const auto row = [&](const char* id, const char* name, const std::function<void()>& run) {
        CUDA_CHECK(cudaDeviceSynchronize());  // what was queued before is not counted
        kit::cpu::take_profile();
        kit::cpu::reset_counters();
        kit::cpu::begin_profile();
        run();
        CUDA_CHECK(cudaDeviceSynchronize());
        kit::cpu::end_profile();
        kit::cpu::RequestCounts loads;
        std::uint64_t divergent = 0;
        for (const kit::cpu::KernelProfile& kernel : kit::cpu::take_profile()) {
            loads.add(kernel.total(kit::cpu::RequestKind::load));
            divergent += kernel.divergent();
        }
        demo.row(id, name,
                 {static_cast<double>(loads.requests), loads.lanes_per_request(),
                  static_cast<double>(divergent), static_cast<double>(kit::cpu::counters().atomics)});
    };
    Kept kept(n, 32);
    row("v5", "v5 atomic per value", [&] { kept.take_plain(); });
    row("v6", "v6 atomic per warp", [&] { kept.take(); });
    kit::DeviceBuffer<int> key(n), sums(8);
    fill_keys<<<64, kBlock>>>(key.data(), n, 8);
    row("v7", "v7 per value, 8 keys",
        [&] { sum_by_key_plain(key.data(), kept.in.data(), n, sums.data(), 8); });
    row("v8", "v8 per warp and key", [&] { sum_by_key(key.data(), kept.in.data(), n, sums.data(), 8); });
    Ways all(n);
    const auto way = [&](const char* id, const char* name, WayFunction run) {
        row(id, name, [&] { run(all.in.data(), n, all.table.data(), all.out.data()); });
    };
    way("v9", "v9 lanes alternate", by_position_slow);
    way("v10", "v10 warps alternate", by_position);
    way("v11", "v11 as they come", by_value_slow);
    way("v12", "v12 gathered first", by_value);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"09_warp_primitives",
               "what lanes do together, and what it costs when they part",
               1 << 25,
               1 << 16,
               1 << 29,
               {},
               {"compact", "keep", "position", "value",
#ifdef KIT_CPU
                "counted"
#else
                "kept", "keys", "turns", "lanes", "sums"
#endif
               }},
              argc, argv);
    compact(demo);
    keep(demo);
    ways(demo);
#ifdef KIT_CPU
    counted(demo);
#else
    by_how_many(demo);
    keys(demo);
    turns(demo);
    sums(demo);
#endif
    return demo.finish();
}
