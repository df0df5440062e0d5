// The timeline of queued work: which copies, kernels and host functions were queued in which streams, and for
// which earlier work each of them waited. The timeline depends only on the calls, not on the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// The kind of a piece of work. `mark`: only a position in the order, without work. `memory`: stream-ordered
/// memory is freed. `collective`: the part of one rank in a collective call.
enum class WorkKind { mark, wait, memory, copy_in, copy_out, copy, fill, kernel, host_function, collective };

/// The name of a piece of queued work, and facts about it, for reports.
struct WorkLabel {
    WorkKind kind = WorkKind::mark;
    std::string what;  ///< name of the kernel, or of the function that copies; empty for host functions
    Place place;       ///< line of the call that queued the work
    std::size_t bytes = 0;
    bool pageable = false;  ///< whether the work is an asynchronous copy with host memory that is not pinned
    int stream = 0;         ///< number of the stream; 0 is the default stream, those of the program are
                            ///< numbered from 1
    HostCalls calls = {};   ///< the calls by host code that led to the work
    bool on_current_device =
        true;                  ///< false: a kernel in a stream of a device that was not current at the launch
    unsigned collectives = 0;  ///< number of collective calls of a group that this piece makes in its stream

    static constexpr int of_graph = -1;
};

/// A piece of work in another stream for which this piece waited directly.
struct CameAfter {
    enum class Because { event, default_stream, host, graph };
    std::size_t piece;
    Because because;
    Place place;  ///< line of the call of cudaStreamWaitEvent; unknown in other cases
};

struct QueuedPiece {
    WorkLabel label;
    std::uint64_t row = 0;  ///< pieces in the same row run one after another
    unsigned step = 0;      ///< step in which the piece runs, counted from 1 (take_timeline)
    std::vector<CameAfter> after;
};

/// Starts recording queued work.
void begin_timeline();

/// Returns the work that was queued since begin_timeline(), in order, without marks, waits and frees; at most
/// the first 2000 pieces.
///
/// The steps model a device that can run everything at the same time, except copies. Each piece takes one
/// step, and starts as soon as the work for which it waits has finished. In each step, at most one copy to
/// the device and one copy to the host can run.
std::vector<QueuedPiece> take_timeline();

/// Returns a drawing of the steps, with a row for each stream, and a list of the waits. `width` is the number
/// of text columns.
std::string in_words(const std::vector<QueuedPiece>& timeline, std::size_t width = 100);

/// Returns the line of a place as text, such as "line 12"; empty if the line is unknown.
std::string line_in_words(Place place);

}  // namespace kit::cpu
