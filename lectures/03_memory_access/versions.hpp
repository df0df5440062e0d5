// For the demo of 03_memory_access: versions v2 to v7, timed on a GPU, counted on the CPU executor.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "03_memory_access/03_memory_access.hpp"
#include "demo.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>
#endif

namespace memory_access_demo {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

/// The side of a matrix of about n elements: a power of two.
inline std::size_t side_of(std::size_t n) {
    std::size_t side = 1;
    while (side * side * 4 <= n) side *= 2;
    return side;
}

inline bool all_are(const std::vector<float>& values, float want) {
    return std::all_of(values.begin(), values.end(), [want](float value) { return value == want; });
}

inline Work work_of(const Demo& demo, double bytes) {
    Work work;
    work.n = demo.n();
    work.bytes = bytes;
    return work;
}

/// v2 and v3 of the topic.
inline void rows(Demo& demo) {
    if (!demo.part("rows") && !demo.part("columns")) return;
    const std::size_t side = side_of(static_cast<std::size_t>(demo.n()));
    const std::size_t room = side * (side + 32);
    kit::DeviceBuffer<float> in(std::vector<float>(room, 2.0f)), factor(std::vector<float>(side, 3.0f)),
        out(room);
    out.clear();
    const auto version = [&](const char* id, const char* name, const char* change, auto function) {
        return Version{
            id, name, change,
            [&, function](long long) { function(in.data(), factor.data(), side, side, out.data()); },
            [&](long long) {
                std::vector<float> got = out.to_vector();
                got.resize(side * side);
                out.clear();
                return all_are(got, 6.0f);
            }};
    };
    Work work = work_of(demo, 8.0 * static_cast<double>(side * side));
    work.n = static_cast<long long>(side * side);
    demo.ladder("rows",
                "the rows of " + std::to_string(side) + " x " + std::to_string(side) +
                    " floats, each times its factor",
                work,
                {version("v2", "row per thread", "The lanes of a warp are a row apart.",
                         memory_access::scale_rows_slow),
                 version("v3", "neighbours", "The lanes of a warp are neighbours in a row.",
                         memory_access::scale_rows)});
#ifndef KIT_CPU
    if (!demo.part("columns")) return;
    demo.table("columns", "the same, with rows of other lengths", {"version and columns", 30},
               {{"columns"}, {"us", 1}, {"gb_per_s"}});
    for (const std::size_t columns : {side, side + 8, side + 32}) {
        const double bytes = 8.0 * static_cast<double>(side * columns);
        const auto row = [&](const std::string& id, const std::string& name, auto function) {
            const auto t =
                kit::time([&] { function(in.data(), factor.data(), side, columns, out.data()); }, bytes);
            demo.row(id + "_plus_" + std::to_string(columns - side), name,
                     {static_cast<double>(columns), t.median_ms * 1000, t.gb_per_s});
        };
        row("v2", "v2 row per thread", memory_access::scale_rows_slow);
        row("v3", "v3 neighbours", memory_access::scale_rows);
    }
#endif
}

#ifndef KIT_CPU
/// v2 and v3 where rows are many and short: there are threads for all of the device.
inline void tall(Demo& demo) {
    if (!demo.part("tall")) return;
    constexpr std::size_t columns = 128;
    const std::size_t rows = static_cast<std::size_t>(demo.n()) / columns;
    kit::DeviceBuffer<float> in(rows * columns), factor(rows), out(rows * columns);
    in.clear();
    factor.clear();
    demo.table("tall", "the same, " + std::to_string(rows) + " rows of 128 floats", {"version", 20},
               {{"us", 1}, {"gb_per_s"}});
    const auto row = [&](const std::string& id, const std::string& name, auto function) {
        const auto t = kit::time([&] { function(in.data(), factor.data(), rows, columns, out.data()); },
                                 8.0 * static_cast<double>(rows * columns));
        demo.row(id, name, {t.median_ms * 1000, t.gb_per_s});
    };
    row("v2", "v2 row per thread", memory_access::scale_rows_slow);
    row("v3", "v3 neighbours", memory_access::scale_rows);
}
#endif

/// v4 and v5 of the topic.
inline void particles(Demo& demo) {
    if (!demo.part("particles")) return;
    using memory_access::Particle;
    const std::size_t n = static_cast<std::size_t>(demo.n()) / 8;
    const Particle one = {1, 2, 3, 10, 20, 30, 5, 7};
    kit::DeviceBuffer<Particle> structures(std::vector<Particle>(n, one));
    kit::DeviceBuffer<float> memory(memory_access::floats_needed(n));
    const memory_access::Particles arrays = memory_access::arrays_in(memory.data(), n);
    memory_access::to_arrays(structures.data(), n, arrays);
    Work work = work_of(demo, 36.0 * static_cast<double>(n));
    work.n = static_cast<long long>(n);
    // dt is 0: the values stay, however often it runs. The tests have other values.
    const std::vector<Version> versions = {
        {"v4", "structures", "32 bytes per particle, side by side.",
         [&](long long) { memory_access::move_structures(structures.data(), n, 0.0f); },
         [&](long long) { return structures.to_vector()[n - 1].z == 3.0f; }},
        {"v5", "arrays", "One array per field: the lanes read neighbours.",
         [&](long long) { memory_access::move_arrays(arrays, n, 0.0f); },
         [&](long long) {
             const std::vector<float> got = memory.to_vector();
             return got[static_cast<std::size_t>(arrays.z - memory.data()) + n - 1] == 3.0f;
         }}};
    demo.ladder("particles", std::to_string(n) + " particles moved: 24 bytes read, 12 written of each", work,
                versions);
}

/// v6 and v7 of the topic.
inline void wide(Demo& demo) {
    if (!demo.part("wide")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    kit::DeviceBuffer<float> in(std::vector<float>(n + 4, 2.0f)), out(n + 4);
    out.clear();
    const auto version = [&](const char* id, const char* name, const char* change, std::size_t at,
                             auto function) {
        return Version{id, name, change,
                       [&, at, function](long long) { function(in.data() + at, n, 3.0f, out.data() + at); },
                       [&, at](long long) {
                           std::vector<float> got = out.to_vector();
                           out.clear();
                           got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(at));
                           got.resize(n);
                           return all_are(got, 6.0f);
                       }};
    };
    demo.ladder(
        "wide", std::to_string(n) + " floats, each times a factor",
        work_of(demo, 8.0 * static_cast<double>(n)),
        {version("v6", "4 bytes", "One float per thread.", 0, memory_access::scale_plain),
         version("v7", "16 bytes", "Four floats per thread, in one access.", 0, memory_access::scale_wide),
         version("v7_unaligned", "16 bytes, one float off", "Both arrays begin one float behind a boundary.",
                 1, memory_access::scale_wide)});
}

#ifdef KIT_CPU
/// What the executor counts of global memory.
struct Counted {
    kit::cpu::RequestCounts loads, stores;
};

template <class Run>
Counted counted(Run run) {
    CUDA_CHECK(cudaDeviceSynchronize());  // what was queued before is not counted
    kit::cpu::take_profile();
    kit::cpu::begin_profile();
    run();
    CUDA_CHECK(cudaDeviceSynchronize());
    kit::cpu::end_profile();
    Counted all;
    for (const kit::cpu::KernelProfile& kernel : kit::cpu::take_profile()) {
        all.loads.add(kernel.total(kit::cpu::RequestKind::load));
        all.stores.add(kernel.total(kit::cpu::RequestKind::store));
    }
    return all;
}

/// Sectors per request of v2 to v7, as a profiler shows them.
inline void counted_versions(Demo& demo) {
    if (!demo.part("counted")) return;
    demo.table("counted", "counted: sectors per request", {"version", 20},
               {{"load_requests"}, {"loads", 2}, {"store_requests"}, {"stores", 2}});
    constexpr std::size_t side = 256, n = side * side;
    kit::DeviceBuffer<float> in(n), factor(side), out(n);
    kit::DeviceBuffer<memory_access::Particle> structures(n / 8);
    kit::DeviceBuffer<float> memory(memory_access::floats_needed(n / 8));
    for (kit::DeviceBuffer<float>* each : {&in, &factor, &out, &memory}) each->clear();
    structures.clear();
    const memory_access::Particles arrays = memory_access::arrays_in(memory.data(), n / 8);
    const auto row = [&](const char* id, const char* name, auto run) {
        const Counted c = counted(run);
        demo.row(id, name,
                 {static_cast<double>(c.loads.requests), c.loads.per_request(),
                  static_cast<double>(c.stores.requests), c.stores.per_request()});
    };
    row("v2", "v2 row per thread",
        [&] { memory_access::scale_rows_slow(in.data(), factor.data(), side, side, out.data()); });
    row("v3", "v3 neighbours",
        [&] { memory_access::scale_rows(in.data(), factor.data(), side, side, out.data()); });
    row("v4", "v4 structures", [&] { memory_access::move_structures(structures.data(), n / 8, 0); });
    row("v5", "v5 arrays", [&] { memory_access::move_arrays(arrays, n / 8, 0); });
    row("v6", "v6 4 bytes", [&] { memory_access::scale_plain(in.data(), n, 3, out.data()); });
    row("v7", "v7 16 bytes", [&] { memory_access::scale_wide(in.data(), n, 3, out.data()); });
}
#endif

}  // namespace memory_access_demo
