// Queued work as it was queued: which copies, kernels and host functions there were, in which streams, and what each of them came
// after. Follows from the calls alone, whatever the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// `mark`: nothing is done that counts, it only stands in the order. `memory`: memory of a stream's order is freed. `collective`: what
/// one rank does in a call of all ranks.
enum class WorkKind { mark, wait, memory, copy_in, copy_out, copy, fill, kernel, host_function, collective };

/// What reports call a piece of queued work.
struct WorkLabel {
    WorkKind kind = WorkKind::mark;
    std::string what;  ///< the kernel, the function that copies; empty for host functions
    Place place;       ///< of the call that queued it
    std::size_t bytes = 0;
    bool pageable =
        false;       ///< a copy that was to be asynchronous, from or to memory of the host that is not pinned
    int stream = 0;  ///< 0: the default stream; those of the program count from 1
    HostCalls calls = {};  ///< of the host that queued it

    static constexpr int of_graph = -1;
};

/// A piece of work of another stream that this one came after, and that nothing else in between came after.
struct CameAfter {
    enum class Because { event, default_stream, host, graph };
    std::size_t piece;
    Because because;
    Place place;  ///< of cudaStreamWaitEvent; otherwise unknown
};

struct QueuedPiece {
    WorkLabel label;
    std::uint64_t row = 0;  ///< pieces of one row came one after another
    unsigned step = 0;      ///< from 1; see take_timeline()
    std::vector<CameAfter> after;
};

/// From now on, notes what is queued.
void begin_timeline();

/// What was queued since, in that order, without marks, waits and frees; the first 2000 pieces.
///
/// The steps are a model of a device with room for everything but copies: each piece takes one step, it begins as soon as all that
/// it comes after has ended, and in a step there is one copy to the device and one to the host at most.
std::vector<QueuedPiece> take_timeline();

/// The steps of all, drawn with a row for each stream, and below what waited for what. `width`: columns of text.
std::string in_words(const std::vector<QueuedPiece>& timeline, std::size_t width = 100);

/// "line 12"; empty when it is not known.
std::string line_in_words(Place place);

}  // namespace kit::cpu
