// Which rule was broken, by whom, and what to do.
#include "device_graph_words.hpp"

#include <cstdio>

namespace kit::cpu {
namespace {

std::string in_words(LaunchFault fault) {
    switch (fault) {
        case LaunchFault::outside_of_graphs:
            return "its own kernel is in no graph, and only a kernel of a graph can launch one: put it into "
                   "a "
                   "graph, and let the host launch that";
        case LaunchFault::in_body:
            return "its own kernel is in the body of a conditional node, which can launch nothing";
        case LaunchFault::no_stream:
            return "the stream must be cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch or "
                   "cudaStreamGraphFireAndForgetAsSibling";
        case LaunchFault::no_instance:
            return "there is no such instance, or it has been destroyed";
        case LaunchFault::not_for_device:
            return "the instance was made without cudaGraphInstantiateFlagDeviceLaunch";
        case LaunchFault::not_uploaded:
            return "the device does not have it: cudaGraphUpload is missing behind its instantiation or its "
                   "last change, or has not been waited for";
        case LaunchFault::active:
            return "it is active already: an earlier launch of it has not ended, and an instance runs once "
                   "at a "
                   "time (only a launch of itself into cudaStreamGraphTailLaunch may wait for its end)";
        case LaunchFault::itself_twice:
            return "it has launched itself before: one launch of itself can be pending";
        case LaunchFault::too_many_fired:
            return "it would be the 121st: a graph can fire and forget 120 graphs each time it runs";
        case LaunchFault::too_many_tails:
            return "it would be the 256th: a graph can have 255 tail launches pending";
    }
    return "";
}

std::string node_of(cudaGraphConditionalNodeType type, Place place) {
    const char* const name = type == cudaGraphCondTypeIf      ? "IF"
                             : type == cudaGraphCondTypeWhile ? "WHILE"
                                                              : "SWITCH";
    return std::string("the ") + name + " node that was made at " + describe(place);
}

std::string limit_in_words(double seconds) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g s", seconds);
    return limit;
}

}  // namespace

Finding device_launch_refused(LaunchFault fault, const std::string& thread, const Spot& at, Place place) {
    return {"graph", thread + " cannot launch the graph at " + describe(at) + ": " + in_words(fault), place};
}

Finding endless_tails(unsigned launches, double seconds, Place place) {
    return {"timeout",
            "the graphs that came of the launch at " + describe(place) + " did not end within " +
                limit_in_words(seconds) + ", after " + std::to_string(launches) +
                " launches: does one launch itself for ever?",
            place};
}

Finding not_in_device_graph(const std::string& node, Place place) {
    return {"graph",
            "a graph with " + node + " is instantiated for the device at " + describe(place) +
                ": such a graph holds kernels, fills, child graphs, and copies in device or pinned memory, "
                "nothing else",
            place};
}

Finding device_graph_refused(bool flags, Place place) {
    return {"graph",
            "the graph cannot be instantiated for the device at " + describe(place) + ": " +
                (flags ? "cudaGraphInstantiateFlagAutoFreeOnLaunch is for launches by the host only"
                       : "it has no node that does anything"),
            place};
}

Finding not_in_body(const std::string& node, Place place) {
    return {"graph",
            "the graph that is instantiated at " + describe(place) + " has " + node +
                " in the body of a conditional node, which holds kernels, copies, fills, empty nodes, child "
                "graphs and conditional nodes, nothing else",
            place};
}

Finding conditional_has_instance(Place place) {
    return {"graph",
            "a graph with a conditional node can have one instance at a time, and it has one already at " +
                describe(place),
            place};
}

Finding handle_refused(bool has_node, Place place) {
    return {"graph",
            "the conditional node at " + describe(place) + " needs a handle of its own: " +
                (has_node ? "another node has this one already"
                          : "this one was not created for its graph by cudaGraphConditionalHandleCreate"),
            place};
}

Finding condition_unknown(cudaGraphConditionalNodeType type, Place place) {
    return {"uninitialised",
            "the condition of " + node_of(type, place) +
                " has no value: no kernel before it has set it in this launch, and its handle was created "
                "without "
                "cudaGraphCondAssignDefault",
            place};
}

Finding condition_not_ordered(cudaGraphConditionalNodeType type, Place place, const std::string& thread,
                              Place set_at) {
    return {"race",
            thread + " sets at " + describe(set_at) + " the condition of " + node_of(type, place) +
                ", and nothing orders the two nodes: an edge is missing",
            set_at};
}

Finding condition_set_by_two(const std::string& first, Place first_at, const std::string& second,
                             const Spot& second_at, Place place) {
    return {"race",
            "two set one condition, and nothing orders them: " + first + " at " + describe(first_at) +
                " and " + second + " at " + describe(second_at) +
                "; let one thread alone call cudaGraphSetConditional",
            place};
}

std::string strange_condition(const std::string& thread, const Spot& at) {
    return thread + " sets a condition at " + describe(at) +
           " that no conditional node of its graph has: only a kernel of the graph with the node can set it";
}

Finding endless_while(std::uint64_t rounds, double seconds, Place place) {
    return {"timeout",
            node_of(cudaGraphCondTypeWhile, place) + " did not end within " + limit_in_words(seconds) +
                ", after " + std::to_string(rounds) +
                " rounds: no kernel of its body sets the condition to 0",
            place};
}

}  // namespace kit::cpu
