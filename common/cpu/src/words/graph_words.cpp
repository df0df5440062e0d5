// What is wrong with a graph, or with its capture.
#include "graph_words.hpp"

#include "finding.hpp"

namespace kit::cpu {
namespace {

std::string what_is_wrong(CaptureFault fault, const std::string& call) {
    switch (fault) {
        case CaptureFault::default_stream:
            return call +
                   " uses the default stream, which waits for all blocking streams, and one of them is "
                   "capturing: use the capturing stream";
        case CaptureFault::not_repeated:
            return call + " is not allowed during a capture: no launch of the graph would repeat it";
        case CaptureFault::has_no_node:
            return call + " cannot be captured; cudaMemcpyAsync() with cudaMemcpyDefault can";
        case CaptureFault::waits_for_stream:
            return call + " of a stream that is capturing: its work has not even begun";
        case CaptureFault::waits_for_event:
            return call + " of an event that was recorded in a capture: nothing has run";
        case CaptureFault::waits_for_device:
            return call + " while a stream is capturing: its work has not even begun";
        case CaptureFault::event_from_outside:
            return call +
                   " of an event that was recorded outside of the capture: the graph cannot wait for work "
                   "that is not in it";
        case CaptureFault::event_of_ended:
            return call + " of an event of another capture, which has ended";
        case CaptureFault::default_stream_joins:
            return "the default stream cannot take part in a capture";
        case CaptureFault::merges_two:
            return call + " would merge two captures";
        case CaptureFault::frees_strange_memory:
            return "a captured " + call + " of memory that no graph has allocated";
        case CaptureFault::frees_again:
            return "a captured " + call + " of memory that a node frees already";
        case CaptureFault::ends_elsewhere:
            return call + " in a stream that only joined the capture";
    }
    return "";
}

}  // namespace

Finding breaks_capture(CaptureFault fault, const std::string& call, Place place, Place begun) {
    return {"capture",
            what_is_wrong(fault, call) + " at " + describe(place) +
                "; this breaks the capture that began at " + describe(begun),
            place};
}

Finding capture_not_joined(const std::string& node, Place place) {
    return {"capture",
            "the capture ends at " + describe(place) +
                " before a stream that joined it has come back: nothing in the first stream waits for " +
                node + ". Record an event there, and let the first stream wait for it",
            place};
}

Finding graph_has_cycle(Place place) {
    return {"graph", "the graph that is instantiated at " + describe(place) + " has a cycle", place};
}

Finding graph_has_instance(Place place) {
    return {"graph",
            "a graph that allocates memory can have one instance at a time, and it has one already at " +
                describe(place),
            place};
}

Finding graph_memory_not_freed(Place place) {
    return {"graph",
            "the graph is launched again at " + describe(place) +
                " although memory of its last launch has not been freed: free it with cudaFreeAsync, or "
                "instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch",
            place};
}

std::string node_in_words(cudaGraphNodeType type, const std::string& kernel) {
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return "kernel `" + kernel + "`";
        case cudaGraphNodeTypeMemcpy:
            return "a copy";
        case cudaGraphNodeTypeMemset:
            return "a fill";
        case cudaGraphNodeTypeHost:
            return "a host function";
        case cudaGraphNodeTypeGraph:
            return "a child graph";
        case cudaGraphNodeTypeWaitEvent:
            return "a wait";
        case cudaGraphNodeTypeEventRecord:
            return "an event";
        case cudaGraphNodeTypeMemAlloc:
            return "an allocation";
        case cudaGraphNodeTypeMemFree:
            return "a freeing of memory";
        case cudaGraphNodeTypeConditional:
            return "a conditional node";
        default:
            return "an empty node";
    }
}

}  // namespace kit::cpu
