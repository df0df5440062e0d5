// Lists of tasks for the tests of this topic, their expected results, and the counts of a call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "15_work_queues/15_work_queues.hpp"
#include "grader.cuh"
#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

namespace queues_test {

using work_queues::Task;
using Words = std::vector<std::uint32_t>;

inline Words table(kit::Random& random) {
    Words words(work_queues::kTable);
    for (auto& word : words) word = static_cast<std::uint32_t>(random.next());
    return words;
}

/// Returns mostly short tasks and a few very long ones: every second task has fewer than 6 steps, every hundredth more than 300.
inline std::vector<Task> heavy_tail(kit::Random& random, int n, int longest = 2000) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) {
        const double u = random.unit();
        const int steps = std::min(static_cast<int>(4 / (u + 1e-3)) - 3, longest);
        tasks.push_back({static_cast<std::uint32_t>(random.next()), std::max(steps, 0)});
    }
    return tasks;
}

/// Returns tasks that all have `steps` steps.
inline std::vector<Task> alike(kit::Random& random, int n, int steps) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) tasks.push_back({static_cast<std::uint32_t>(random.next()), steps});
    return tasks;
}

/// Returns the expected results.
inline Words results(const Words& table, const std::vector<Task>& tasks) {
    Words out;
    for (const Task& task : tasks) {
        std::uint32_t x = task.seed;
        for (int k = 0; k < task.steps; ++k) x = x * 1664525u + table[x / (1u << 19)];
        out.push_back(x);
    }
    return out;
}

/// Counts of a call. Only the CPU backend counts; on other backends nothing is demanded.
struct Did {
    bool counted = false;
    std::uint64_t kernels = 0, blocks = 0, threads = 0, waits = 0;
    std::uint64_t atomics = 0;            ///< atomic updates
    std::uint64_t atomics_of_one = 0;     ///< atomic updates of the address with the most updates
    std::uint64_t loads = 0, stores = 0;  ///< accesses to global memory
    std::uint64_t shared_loads = 0;
    std::uint64_t votes = 0;   ///< votes, shuffles and barriers of warps
    std::uint64_t others = 0;  ///< queued operations that are not kernels
    std::string
        besides;  ///< the first memset, copy or host function that was queued: "the memset at line 12"
};

#ifdef KIT_CPU
/// Counts the queued operations that are not kernels, and names the first one.
inline void note_others(const std::vector<kit::cpu::QueuedPiece>& timeline, Did& did) {
    using kit::cpu::WorkKind;
    for (const kit::cpu::QueuedPiece& piece : timeline) {
        const WorkKind kind = piece.label.kind;
        if (kind == WorkKind::kernel || ++did.others > 1) continue;
        const std::string what = kind == WorkKind::fill            ? "the memset"
                                 : kind == WorkKind::host_function ? "the host function"
                                                                   : "the copy";
        did.besides = what + " at " + kit::cpu::line_in_words(piece.label.place);
    }
}
#endif

/// Calls the student's function and returns the counts.
template <class Function>
Did counted_call(kit::Case& test, Function function) {
    Did did;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
    test.call([&] {
        kit::cpu::begin_timeline();
        function();
        did.waits = kit::cpu::counters().synchronizations;
        note_others(kit::cpu::take_timeline(), did);
    });
    const kit::cpu::Counters counters = kit::cpu::counters();
    did.counted = true;
    did.kernels = counters.kernels;
    did.blocks = counters.blocks;
    did.threads = counters.threads;
    did.atomics = counters.atomics;
    did.atomics_of_one = counters.worst_contention;
    did.loads = counters.global_loads;
    did.stores = counters.global_stores;
    did.shared_loads = counters.shared_loads;
    did.votes = counters.warp_collectives;
#else
    test.call(function);
#endif
    return did;
}

/// Demands one claim per batch of `batch` tasks, and at most one more per worker, which finds nothing. A kernel may use one more
/// atomic to set the counter.
inline void judge_claims(kit::Case& test, const Did& did, std::uint64_t n, std::uint64_t batch,
                         std::uint64_t workers, const std::string& of, const kit::Said& task) {
    if (!did.counted) return;
    const std::uint64_t claims = (n + batch - 1) / batch;
    test.demand("atomics", kit::between(did.atomics, claims, claims + workers + 1),
                kit::count_of(did.atomics, "atomic addition") + ", expected " + std::to_string(claims) +
                    " to " + std::to_string(claims + workers) + ": claim once for " + of +
                    ", and once more where a claim finds nothing (" + task + ")");
}

/// Demands that each result is written once. A few more stores may set the counter.
inline void judge_stores(kit::Case& test, const Did& did, std::size_t results, const kit::Said& task) {
    if (!did.counted) return;
    test.demand("stores", kit::at_most(did.stores, results + work_queues::kBlock),
                kit::count_of(did.stores, "value", "are") + " stored for " + std::to_string(results) +
                    " results: do each task once (" + task + ")");
}

/// Demands at most the number of threads that the caller requests, plus one block of a kernel that sets the counter.
inline void judge_threads(kit::Case& test, const Did& did, int blocks, const kit::Said& task) {
    if (!did.counted) return;
    const std::uint64_t most = static_cast<std::uint64_t>(blocks + 1) * work_queues::kBlock;
    test.demand("threads", kit::at_most(did.threads, most),
                kit::count_of(did.threads, "thread") + ", but the caller requests " +
                    std::to_string(blocks * work_queues::kBlock) +
                    ": let a thread that has finished claim again (" + task + ")");
}

}  // namespace queues_test
