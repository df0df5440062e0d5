// What the tests of this topic share: who launched how much, and a limit that makes launches fail.
#pragma once

#include <cstdint>
#include <string>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "grader.cuh"

namespace nested_test {

/// Kernels of one call, and how often the host waited in it. Only the CPU backend can tell.
struct Launches {
    std::uint64_t by_host = 0, by_kernels = 0, waits = 0;
};

/// Calls the student's function and counts what it launches.
template <class Function>
Launches counted_call(kit::Case& test, Function function) {
    Launches launches;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
    test.call([&] {
        function();
        launches.waits = kit::cpu::counters().synchronizations;
    });
    const kit::cpu::Counters counters = kit::cpu::counters();
    launches.by_kernels = counters.child_kernels;
    launches.by_host = counters.kernels - counters.child_kernels;
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

}  // namespace nested_test
