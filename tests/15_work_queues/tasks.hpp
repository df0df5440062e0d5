// Lists of tasks for the tests of this topic, what comes out of them, and what a call did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "15_work_queues/15_work_queues.hpp"
#include "grader.cuh"

namespace queues_test {

using work_queues::Task;
using Words = std::vector<std::uint32_t>;

inline Words table(kit::Random& random) {
    Words words(work_queues::kTable);
    for (auto& word : words) word = static_cast<std::uint32_t>(random.next());
    return words;
}

/// Most tasks are short, and a few very long: every second one has fewer than 6 steps, every hundredth more than 300.
inline std::vector<Task> heavy_tail(kit::Random& random, int n, int longest = 2000) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) {
        const double u = random.unit();
        const int steps = std::min(static_cast<int>(4 / (u + 1e-3)) - 3, longest);
        tasks.push_back({static_cast<std::uint32_t>(random.next()), std::max(steps, 0)});
    }
    return tasks;
}

/// All have so many steps.
inline std::vector<Task> alike(kit::Random& random, int n, int steps) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) tasks.push_back({static_cast<std::uint32_t>(random.next()), steps});
    return tasks;
}

/// The right results.
inline Words results(const Words& table, const std::vector<Task>& tasks) {
    Words out;
    for (const Task& task : tasks) {
        std::uint32_t x = task.seed;
        for (int k = 0; k < task.steps; ++k) x = x * 1664525u + table[x / (1u << 19)];
        out.push_back(x);
    }
    return out;
}

/// What a call did, beside its results. Only the CPU backend can tell: elsewhere nothing is demanded.
struct Did {
    bool counted = false;
    std::uint64_t kernels = 0, blocks = 0, threads = 0, atomics = 0, waits = 0;
};

/// Calls the student's function and counts.
template <class Function>
Did counted_call(kit::Case& test, Function function) {
    Did did;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
    test.call([&] {
        function();
        did.waits = kit::cpu::counters().synchronizations;
    });
    const kit::cpu::Counters counters = kit::cpu::counters();
    did = {true, counters.kernels, counters.blocks, counters.threads, counters.atomics, did.waits};
#else
    test.call(function);
#endif
    return did;
}

/// Claims of `batch` tasks: one for each batch, and each of `workers` comes once more and finds nothing.
inline void judge_claims(kit::Case& test, const Did& did, std::uint64_t n, std::uint64_t batch,
                         std::uint64_t workers, const std::string& of, const std::string& task) {
    if (!did.counted) return;
    const std::uint64_t claims = (n + batch - 1) / batch;
    test.demand("atomics", did.atomics >= claims && did.atomics <= claims + workers,
                std::to_string(did.atomics) + " atomic additions, expected " + std::to_string(claims) +
                    " to " + std::to_string(claims + workers) + ": one for " + of +
                    ", and one for each that finds nothing (" + task + ")");
}

/// No more threads than were ordered; `extra` for those who set the counter.
inline void judge_threads(kit::Case& test, const Did& did, int blocks, std::uint64_t extra,
                          const std::string& task) {
    if (!did.counted) return;
    const std::uint64_t most = static_cast<std::uint64_t>(blocks) * work_queues::kBlock + extra;
    test.demand("threads", did.threads <= most,
                std::to_string(did.threads) + " threads, and " + std::to_string(most) +
                    " are ordered: they come again instead of being more (" + task + ")");
}

}  // namespace queues_test
