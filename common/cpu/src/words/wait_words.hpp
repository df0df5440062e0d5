// The sentences about threads that wait: at barriers, for lanes of their warp, for blocks, without an end.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>
#include <vector>

#include "finding.hpp"

namespace kit::cpu {

/// Threads that wait in the same way at the same place. Threads and blocks are named as "thread (5,0,0)", "block (2,0,0)".
struct Waiting {
    unsigned count = 0;
    std::string first;  ///< of these threads
    std::string in;     ///< "__syncthreads()"
    Spot at;
    std::uint32_t lanes = 0, absent = 0;  ///< of a warp's meeting: whom it names, and who never comes
    unsigned missing = 0, expected = 0;   ///< arrivals at a barrier object; 0 expected: it is none
    std::size_t bytes_expected = 0,
                bytes_copied = 0;  ///< by the phase, where all have arrived; by bulk copies
};

/// What threads of a warp may wait in.
constexpr const char* a_shuffle = "a shuffle";

/// A block of which no thread can go on.
struct Stuck {
    std::string block, kernel;
    std::vector<Waiting> waiting;
    unsigned returned = 0;  ///< threads that have left the kernel,
    std::string first_returned{};
};
/// `kind`: "barrier", "warp" or "deadlock". `place`: the line to look at first.
Finding in_words(const std::string& kind, const Stuck& stuck, Place place);

/// A thread that comes to another barrier than the one where others wait.
std::string divergence_in_words(const Stuck& others, const std::string& thread, const std::string& what,
                                const Spot& at);

/// A lane that calls what its own mask does not name it for.
std::string lane_not_named(const std::string& what, const Spot& at, std::uint32_t mask, unsigned lane,
                           const std::string& thread);

/// The barrier of a cluster: `thread` is the whole name of the running one.
std::string arrives_twice(const std::string& thread, const Spot& at);
std::string waits_unarrived(const std::string& thread, const Spot& at);

/// A token that is not of this barrier, or of a phase that is over for long.
std::string foreign_token(const std::string& thread, const Spot& at);
std::string old_token(const std::string& thread, const Spot& at, unsigned phase, unsigned now);

std::string grid_sync_refused(const std::string& kernel, Place place);
std::string grid_sync_left(const std::string& kernel);

// ---- the time limit, in seconds ----
std::string endless_family(const std::string& kernel, std::size_t others, double seconds);
/// `where`: what a thread did then, or how far the grid had come.
std::string endless_kernel(const std::string& kernel, double seconds, const std::string& where);
std::string blocks_begun(std::uint64_t begun, std::uint64_t blocks);

}  // namespace kit::cpu
