// Checks that threads share the work, for topics whose results a single thread or the host could also compute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "grader.cuh"

namespace shared_work {

#ifdef KIT_CPU
/// Calls the student's function and returns the counters. The function reads `values` values of `in`. Thread 0 of block 0 must leave
/// most of them to other threads, and there must be other threads.
template <class T, class Function>
kit::cpu::Counters call(kit::Case& test, const kit::Input<T>& in, std::size_t values, Function function) {
    kit::cpu::reset_counters();
    kit::cpu::trace_thread(0, 0);
    test.call(function);
    const kit::cpu::Counters counters = kit::cpu::counters();
    const char* const begin = reinterpret_cast<const char*>(in.data());
    std::size_t bytes = 0;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
        const bool inside = access.address >= begin && access.address < begin + values * sizeof(T);
        if (inside && !access.write) bytes += access.bytes;
    }
    test.demand("share of one thread", kit::at_most(bytes, values * sizeof(T) / 8),
                "one thread reads " + std::to_string(bytes / sizeof(T)) + " of " +
                    kit::count_of(values, "value") + ": share the work among many threads");
    test.demand("threads", kit::at_least(counters.threads, (values + 63) / 64),
                kit::count_of(counters.threads, "thread") + " for " + kit::count_of(values, "value") +
                    ": share the work among more threads");
    return counters;
}

/// Demands at least this many barriers, shuffles and votes in a block, because steps that build on each other need them.
inline void expect_meetings(kit::Case& test, const kit::cpu::Counters& counters, std::uint64_t least,
                            const std::string& what) {
    const std::uint64_t met =
        (counters.block_barriers + counters.warp_collectives) / std::max<std::uint64_t>(counters.blocks, 1);
    test.demand("meetings of a block", kit::at_least(met, least),
                "the threads of a block synchronize only " + kit::count_of(met, "time") +
                    ", at barriers or in shuffles, but " + what +
                    " has several steps: share the work of each step among the threads");
}
#endif

}  // namespace shared_work
