// Shared by the tests of this topic: counts of launches, and a limit that causes launches to fail.
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

/// Kernels of one call, and waits of the host in it. Only the CPU backend counts them.
struct Launches {
    std::uint64_t by_host = 0, by_kernels = 0, waits = 0;
    std::uint64_t depth = 0, blocks = 0;
};

/// Returns the free bytes of device memory. Meaningful only if no other program uses the device.
inline std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
}

/// Calls the student's function, counts its launches, and checks that it leaves no memory allocated.
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
    test.check(free_after >= free_before,
               kit::count_of(free_before - free_after, "byte") +
                   " of device memory are still allocated after the call: free all of it");
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

/// Limits the pending launches of kernels while it exists. The CPU backend refuses every further launch; a GPU may
/// have room again in time.
class PendingLimit {
  public:
    explicit PendingLimit(std::size_t limit) {
        cudaDeviceGetLimit(&before_, cudaLimitDevRuntimePendingLaunchCount);
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
        cudaGetLastError();  // a device may refuse so small a limit; the results must still be correct
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

/// If launches are refused and no thread does their work, the kernel must end with an error, __trap(), because otherwise the caller
/// believes in an incomplete result. An error destroys the context, so `complete` runs in its own process, named `what`: it calls
/// the student's function, waits, and returns whether the result is complete.
inline int refused_main(const std::string& what, const std::function<bool()>& complete) {
    const PendingLimit pending(static_cast<std::size_t>(std::atoi(what.c_str())));
    const bool right = complete();
    std::printf("error=%s\ncomplete=%d\n", cudaGetErrorName(cudaGetLastError()), right ? 1 : 0);
    return 0;
}

/// Output of the program that runs refused_main.
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

/// Adds a case for each of `limits`, the number of launches that may be pending.
inline void add_refused(kit::Grader& grader, const std::vector<int>& limits, int task) {
    for (const int limit : limits) {
        grader.add("launches are refused: " + std::to_string(limit) + " may be pending",
                   [=](kit::Case& test) {
                       const Refused got = run_refused(test, limit);
                       test.check(
                           got.error != "cudaSuccess" || got.complete,
                           "launches were refused and the result is incomplete, but there is no error: call "
                           "cudaGetLastError() after each launch, and __trap() if it failed" +
                               kit::task(task));
                   },
                   {90, true});
    }
}

/// Adds a case in which `limit` pending launches must be enough. `why` explains a failure.
inline void add_enough(kit::Grader& grader, int limit, int task, const std::string& why) {
    grader.add(std::to_string(limit) + " pending launches are enough",
               [=](kit::Case& test) {
                   const Refused got = run_refused(test, limit);
                   test.check(got.complete, "with room for " + std::to_string(limit) +
                                                " pending launches, the call ended with " + got.error + ": " +
                                                why + kit::task(task));
               },
               {90, true});
}

}  // namespace nested_test
