// Queued work: which copies, kernels and host functions were queued in which streams, and which earlier work each of them waited
// for. It follows only from the calls and does not depend on the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// `mark`: only a position in the order, without work that counts. `memory`: stream-ordered memory is freed. `collective`: the
/// part of one rank in a call of all ranks.
enum class WorkKind { mark, wait, memory, copy_in, copy_out, copy, fill, kernel, host_function, collective };

/// The name and facts of a piece of queued work in reports.
struct WorkLabel {
    WorkKind kind = WorkKind::mark;
    std::string what;  ///< the kernel or the function that copies; empty for host functions
    Place place;       ///< line of the call that queued it
    std::size_t bytes = 0;
    bool pageable = false;     ///< an asynchronous copy from or to host memory that is not pinned
    int stream = 0;            ///< 0: the default stream; streams of the program are numbered from 1
    HostCalls calls = {};      ///< the host calls that led to it
    unsigned collectives = 0;  ///< calls of a group of collectives that this piece makes in its stream

    static constexpr int of_graph = -1;
};

/// A piece of work in another stream that this piece waited for directly.
struct CameAfter {
    enum class Because { event, default_stream, host, graph };
    std::size_t piece;
    Because because;
    Place place;  ///< line of cudaStreamWaitEvent; otherwise unknown
};

struct QueuedPiece {
    WorkLabel label;
    std::uint64_t row = 0;  ///< pieces of one row run one after another
    unsigned step = 0;      ///< starts at 1; see take_timeline()
    std::vector<CameAfter> after;
};

/// Starts to record queued work.
void begin_timeline();

/// Returns the work that was queued since then, in order, without marks, waits and frees; at most the first 2000 pieces.
///
/// The steps model a device with room for everything except copies. Each piece takes one step and starts as soon as the work that
/// it waits for has finished. In each step there is at most one copy to the device and one to the host.
std::vector<QueuedPiece> take_timeline();

/// Returns a drawing of the steps with a row for each stream, and the waits below it. `width`: columns of text.
std::string in_words(const std::vector<QueuedPiece>& timeline, std::size_t width = 100);

/// Returns "line 12"; empty if the line is unknown.
std::string line_in_words(Place place);

}  // namespace kit::cpu
