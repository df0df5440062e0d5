// What the tests of this topic share: who launched how much, and a limit that makes launches fail.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "01_error_handling/probe.hpp"
#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "grader.cuh"

namespace nested_test {

/// Kernels of one call, and how often the host waited in it. Only the CPU backend can tell.
struct Launches {
    std::uint64_t by_host = 0, by_kernels = 0, waits = 0;
    std::uint64_t depth = 0, blocks = 0;
};

/// Bytes of device memory that are free; only where nobody else uses it.
inline std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
}

/// Calls the student's function and counts what it launches, and what it leaves allocated.
template <class Function>
Launches counted_call(kit::Case& test, Function function) {
    Launches launches;
#ifdef KIT_CPU
    const std::size_t free_before = free_memory();
    kit::cpu::reset_counters();
    test.call([&] {
        function();
        launches.waits = kit::cpu::counters().synchronizations;
    });
    const kit::cpu::Counters counters = kit::cpu::counters();
    launches.by_kernels = counters.child_kernels;
    launches.depth = counters.child_depth;
    launches.blocks = counters.blocks;
    launches.by_host = counters.kernels - counters.child_kernels;
    const std::size_t free_after = free_memory();
    test.check(free_after >= free_before, std::to_string(free_before - free_after) +
                                              " bytes of device memory are still allocated after the call");
#else
    test.call(function);
#endif
    return launches;
}

#ifdef KIT_CPU
constexpr bool launches_are_counted = true;
#else
constexpr bool launches_are_counted = false;
#endif

inline std::string kernels(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

/// At most this many launches by kernels may be pending while this lives. What does not fit is refused on the CPU
/// backend; a GPU may have room again in time.
class PendingLimit {
  public:
    explicit PendingLimit(std::size_t limit) {
        cudaDeviceGetLimit(&before_, cudaLimitDevRuntimePendingLaunchCount);
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
        cudaGetLastError();  // a device may not like so small a limit: the results must be right all the same
    }
    ~PendingLimit() {
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, before_);
        cudaGetLastError();
    }
    PendingLimit(const PendingLimit&) = delete;
    PendingLimit& operator=(const PendingLimit&) = delete;

  private:
    std::size_t before_ = 0;
};

/// Launches are refused, and nobody does the work instead: then the kernel must end with an error, __trap(), or the caller
/// believes in an incomplete result. An error ends the context, so `complete` runs in a process of its own, named `what`:
/// it calls the student's function, waits, and says whether the result is as it should be.
inline int refused_main(const std::string& what, const std::function<bool()>& complete) {
    const PendingLimit pending(static_cast<std::size_t>(std::atoi(what.c_str())));
    const bool right = complete();
    std::printf("error=%s\ncomplete=%d\n", cudaGetErrorName(cudaGetLastError()), right ? 1 : 0);
    return 0;
}

/// What the program prints that refused_main runs in.
struct Refused {
    error_handling::Probe probe;
    std::string error;
    bool complete;
};

inline Refused run_refused(kit::Case& test, int limit) {
    const error_handling::Probe probe = error_handling::run_probe(std::to_string(limit), 60);
    const std::string error = probe.value("error");
    test.check(!error.empty(), "the program " + probe.ending() + ", " + probe.said());
    return {probe, error, probe.value("complete") == "1"};
}

/// The cases for that: `limits` launches may be pending.
inline void add_refused(kit::Grader& grader, const std::vector<int>& limits, int task) {
    for (const int limit : limits) {
        grader.add("launches are refused: " + std::to_string(limit) + " may be pending",
                   [=](kit::Case& test) {
                       const Refused got = run_refused(test, limit);
                       test.check(
                           got.error != "cudaSuccess" || got.complete,
                           "launches were refused, the result is incomplete, and there is no error: ask "
                           "cudaGetLastError() after each launch, and end with __trap() (Task " +
                               std::to_string(task) + ")");
                   },
                   {90, true});
    }
}

/// A case in which so many pending launches must be enough: `why` says why they were not.
inline void add_enough(kit::Grader& grader, int limit, int task, const std::string& why) {
    grader.add(std::to_string(limit) + " pending launches are enough",
               [=](kit::Case& test) {
                   const Refused got = run_refused(test, limit);
                   test.check(got.complete, "with room for " + std::to_string(limit) +
                                                " pending launches it ended with " + got.error + ": " + why +
                                                " (Task " + std::to_string(task) + ")");
               },
               {90, true});
}

}  // namespace nested_test
