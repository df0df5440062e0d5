// The work that the student's code has queued, as a timeline: pieces of work, their streams, and the number
// of steps that a device needs which can run everything at the same time. The executor records the timeline.
// On a GPU nothing is recorded, and tests then demand nothing.
#pragma once

#include <algorithm>
#include <grader/case.hpp>
#include <string>
#include <utility>

#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

namespace kit {

/// The queued work in numbers. Each piece of work takes one step. In a step, at most one copy to the device
/// and one copy to the host can run.
struct Timeline {
    bool noted = false;  ///< false on a GPU
    unsigned steps = 0;
    unsigned copies_in = 0, copies_out = 0, kernels = 0, host_functions = 0;
    unsigned collectives = 0;             ///< number of collective operations, each by all ranks together
    std::size_t bytes_out = 0;            ///< number of bytes that are copied to the host
    unsigned in_default_stream = 0;       ///< number of pieces in the default stream
    unsigned pageable = 0;                ///< number of calls of cudaMemcpyAsync with host memory that is not
                                          ///< pinned
    std::string pageable_at, default_at;  ///< lines of the first of these, such as "line 12"
    std::string
        host_waited_at;  ///< line of the first piece in a different stream that was queued only after the
                         ///< host had waited
    std::string host_waited_for;  ///< name of the kernel or the copying function of that piece
    std::string drawn;            ///< drawing of the timeline, as rows of text
};

/// Returns the name of a kernel without namespaces.
inline std::string unqualified(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

namespace detail {

#ifdef KIT_CPU
inline Timeline timeline_of(const std::vector<cpu::QueuedPiece>& pieces) {
    using cpu::WorkKind;
    Timeline timeline;
    timeline.noted = true;
    timeline.drawn = cpu::in_words(pieces, 92);
    for (const cpu::QueuedPiece& piece : pieces) {
        const cpu::WorkLabel& label = piece.label;
        if (piece.step > timeline.steps) timeline.steps = piece.step;
        timeline.copies_in += label.kind == WorkKind::copy_in;
        timeline.copies_out += label.kind == WorkKind::copy_out;
        if (label.kind == WorkKind::copy_out) timeline.bytes_out += label.bytes;
        timeline.kernels += label.kind == WorkKind::kernel;
        timeline.host_functions += label.kind == WorkKind::host_function;
        if (label.kind == WorkKind::collective) timeline.collectives += std::max(1u, label.collectives);
        if (label.pageable && !timeline.pageable++) timeline.pageable_at = cpu::line_in_words(label.place);
        if (label.stream == 0 && !timeline.in_default_stream++)
            timeline.default_at = cpu::line_in_words(label.place);
        for (const cpu::CameAfter& after : piece.after)
            if (after.because == cpu::CameAfter::Because::host && timeline.host_waited_at.empty())
                timeline.host_waited_at = cpu::line_in_words(label.place),
                timeline.host_waited_for = unqualified(label.what);
    }
    return timeline;
}
#endif

}  // namespace detail

/// Records the work that is queued during the lifetime of the object.
class NotedWork {
  public:
    NotedWork() {
#ifdef KIT_CPU
        cpu::begin_timeline();
#endif
    }
    Timeline take() const {
#ifdef KIT_CPU
        return detail::timeline_of(cpu::take_timeline());
#else
        return {};
#endif
    }
};

/// Like test.call, for a function without a result. Also returns the timeline of the work that the function
/// queues.
template <class Function>
Timeline timeline(Case& test, Function&& function) {
#ifdef KIT_CPU
    Timeline timeline;
    test.call([&] {
        cpu::begin_timeline();
        function();
        timeline = detail::timeline_of(cpu::take_timeline());
    });
    return timeline;
#else
    test.call(std::forward<Function>(function));
    return {};
#endif
}

}  // namespace kit
