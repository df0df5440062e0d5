// What the student's code has queued, as a timeline: pieces of work, their streams, and in how many steps a device with room for
// everything is done. The executor notes it; on a GPU nobody does, and then nothing is demanded.
#pragma once

#include <grader/case.hpp>
#include <string>
#include <utility>

#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

namespace kit {

/// Each piece takes one step; in a step there is one copy to the device and one to the host at most.
struct Timeline {
    bool noted = false;  ///< by nobody on a GPU
    unsigned steps = 0;
    unsigned copies_in = 0, copies_out = 0, kernels = 0, host_functions = 0;
    unsigned collectives = 0;        ///< of all ranks together
    std::size_t bytes_out = 0;       ///< copied to the host
    unsigned in_default_stream = 0;  ///< of all pieces
    unsigned pageable = 0;           ///< cudaMemcpyAsync from or to memory of the host that is not pinned
    std::string pageable_at, default_at;  ///< "line 12", of the first of these
    std::string
        host_waited_at;  ///< the first piece of another stream that was queued only after the host had waited
    std::string host_waited_for;  ///< what this piece is: the kernel, or the function that copies
    std::string drawn;            ///< the picture, in rows of text
};

/// The name of a kernel without its namespaces.
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
        timeline.collectives += label.kind == WorkKind::collective;
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

/// What is queued while it lives.
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

/// As test.call, for a function without a result; notes what it queues.
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
