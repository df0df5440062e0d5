// Shared by the tests of the topic: counted waits, and the verdict about a timeline.
#pragma once

#include <string>
#include <vector>

#include "13_streams/13_streams.hpp"
#include "grader.cuh"
#include "grader/calls.hpp"
#include "grader/timeline.hpp"
#include "handles.hpp"

namespace streams_test {

using kit::Event;
using kit::Pinned;
using kit::Stream;

/// Demands that the host waits at most `limit` times. `task`: the task to check, such as " (Task 2)".
inline void waits_at_most(kit::Case& test, int limit, const kit::Calls& calls, const kit::Said& task = "") {
    test.demand("waits", kit::at_most(calls.waits, limit),
                "the host waits " + kit::count_of(calls.waits, "time") + ", " +
                    (limit ? "but " + std::to_string(limit) + " are enough: wait only at the end"
                           : "but must not wait: queue the work, and let streams wait") +
                    task);
}

/// Demands at most `limit` steps, and otherwise draws the timeline. `task`: the task to check in that case.
inline void steps_at_most(kit::Case& test, unsigned limit, const kit::Timeline& timeline, int task) {
    std::string why;
    if (timeline.pageable)
        why = ". The copy at " + timeline.pageable_at + " is from or to memory that is not pinned";
    else if (timeline.in_default_stream)
        why = ". The work at " + timeline.default_at + " is queued in the default stream";
    else if (!timeline.host_waited_at.empty())
        why = ". The host waits before it queues the work at " + timeline.host_waited_at;
    std::vector<std::string> drawn;
    for (std::size_t begin = 0, end; (end = timeline.drawn.find('\n', begin)) != std::string::npos;
         begin = end + 1)
        drawn.push_back(timeline.drawn.substr(begin, end - begin));
    test.demand("steps", kit::at_most(timeline.steps, limit),
                "the work takes " + kit::count_of(timeline.steps, "step") + ", but " + std::to_string(limit) +
                    " are enough: let work overlap if it does not depend on other work" + why +
                    kit::task(task),
                kit::Diagnosis::wrong_value, drawn);
}

}  // namespace streams_test
