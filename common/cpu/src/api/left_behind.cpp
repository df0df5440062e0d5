// Finds the memory, streams, events, graphs and instances that a program has created since a given moment and
// not destroyed. The grader calls these functions.
#include <kit_cpu/executor.hpp>
#include <mutex>

#include "device/error.hpp"
#include "device/lock.hpp"
#include "graphs/executable.hpp"
#include "graphs/graph.hpp"
#include "memory/leaks.hpp"
#include "memory/memory.hpp"
#include "run/event.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

Made things_made() {
    const std::lock_guard lock(api_mutex());
    return {births_so_far(), live_allocations().size() + all_streams().size() + live_events().size() +
                                 live_graphs().size() + live_executables().size()};
}

std::vector<Finding> left_since(const Made& moment) {
    const std::lock_guard lock(api_mutex());
    std::vector<Finding> left;
    if (sticky_error() != cudaSuccess)
        return left;  // after an execution error, a program cannot destroy
                      // anything
    for (const Allocation& allocation : live_allocations())
        if (allocation.born > moment.so_far)
            left.push_back(
                finding(facts::Rule::left_allocated, allocation.place).with("bytes", allocation.bytes));
    for (const CUstream_st* stream : all_streams())
        if (stream->born > moment.so_far) left.push_back(finding(facts::Rule::left_stream, stream->made_at));
    for (const CUevent_st* event : live_events())
        if (event->born > moment.so_far) left.push_back(finding(facts::Rule::left_event, event->made_at));
    for (const CUgraphExec_st* exec : live_executables())
        if (exec->born > moment.so_far) left.push_back(finding(facts::Rule::left_instance, exec->made_at));
    for (const CUgraph_st* graph : live_graphs())
        if (graph->born > moment.so_far) left.push_back(finding(facts::Rule::left_graph, graph->made_at));
    return left;
}

}  // namespace kit::cpu
