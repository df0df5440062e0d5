// Measurements of the demo of 13_streams. On a GPU: milliseconds by the host's clock. On the CPU executor: pieces of work, steps, waits
// and the timeline.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "demo.hpp"
#include "grader/calls.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

namespace streams_demo {

using kit::demo::Demo;

#ifdef KIT_CPU
inline constexpr bool on_gpu = false;
#else
inline constexpr bool on_gpu = true;
#endif

/// Returns the median time of a run in milliseconds, until the device has finished.
inline double milliseconds(Demo& demo, const std::function<void()>& run) {
    std::vector<double> times;
    const int repetitions = demo.repetitions(11);
    for (int i = 0; i <= repetitions; ++i) {  // the first run warms up
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

inline void must_be(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "%s: the result is wrong\n", what);
    std::exit(EXIT_FAILURE);
}

/// A line of a table: the work to run, and the check of its result.
struct Row {
    std::string id, label;
    std::function<void()> run;
    std::function<bool()> right;
};

/// Writes a table: times on a GPU; pieces of work, steps and waits on the executor.
inline void compare(Demo& demo, const std::string& table, const std::string& title,
                    const std::vector<Row>& rows) {
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

/// Draws the timeline of the work that `run` queues.
inline void draw([[maybe_unused]] Demo& demo, [[maybe_unused]] const char* name,
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

}  // namespace streams_demo
