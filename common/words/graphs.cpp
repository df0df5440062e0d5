// Sentences about captures, graphs, and graphs and nodes that kernels launch or change.
#include <words/finding.hpp>

namespace kit::words {

using facts::Rule;

namespace {

const char* words_of_capture(Rule rule) {
    switch (rule) {
        case Rule::capture_default_stream:
            return "{call} uses the default stream, which waits for all blocking streams, and one of them is capturing| use the capturing stream at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_not_repeated:
            return "{call} is not allowed during a capture| no launch of the graph would repeat it at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_has_no_node:
            return "{call} cannot be captured; cudaMemcpyAsync() with cudaMemcpyDefault can at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_waits_for_stream:
            return "{call} of a stream that is capturing| its work has not even begun at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_waits_for_event:
            return "{call} of an event that was recorded in a capture| nothing has run at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_waits_for_device:
            return "{call} while a stream is capturing| its work has not even begun at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_event_from_outside:
            return "{call} of an event that was recorded outside of the capture| the graph cannot wait for work that is not in it at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_event_of_ended:
            return "{call} of an event of another capture, which has ended at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_default_stream_joins:
            return "the default stream cannot take part in a capture at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_merges_two:
            return "{call} would merge two captures at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_frees_strange_memory:
            return "a captured {call} of memory that no graph has allocated at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_frees_again:
            return "a captured {call} of memory that a node frees already at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_ends_elsewhere:
            return "{call} in a stream that only joined the capture at {at}; this breaks the capture that began at {begun}";
        case Rule::capture_not_joined:
            return "the capture ends at {at} before a stream that joined it has come back: nothing in the first stream waits for {node}. Record an event there, and let the first stream wait for it";
        default:
            return nullptr;
    }
}

const char* words_of_instance(Rule rule) {
    switch (rule) {
        case Rule::graph_has_cycle:
            return "the graph that is instantiated at {at} has a cycle";
        case Rule::graph_has_instance:
            return "a graph that allocates memory can have one instance at a time, and it has one already at {at}";
        case Rule::graph_memory_not_freed:
            return "the graph is launched again at {at} although memory of its last launch has not been freed: free it with cudaFreeAsync, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch";
        case Rule::not_in_device_graph:
            return "a graph with {node} is instantiated for the device at {at}: such a graph holds kernels, fills, child graphs, and copies in device or pinned memory, nothing else";
        case Rule::device_graph_frees:
            return "the graph cannot be instantiated for the device at {at}: cudaGraphInstantiateFlagAutoFreeOnLaunch is for launches by the host only";
        case Rule::device_graph_empty:
            return "the graph cannot be instantiated for the device at {at}: it has no node that does anything";
        case Rule::not_in_body:
            return "the graph that is instantiated at {at} has {node} in the body of a conditional node, which holds kernels, copies, fills, empty nodes, child graphs and conditional nodes, nothing else";
        case Rule::conditional_has_instance:
            return "a graph with a conditional node can have one instance at a time, and it has one already at {at}";
        case Rule::handle_has_node:
            return "the conditional node at {at} needs a handle of its own: another node has this one already";
        case Rule::handle_of_another_graph:
            return "the conditional node at {at} needs a handle of its own: this one was not created for its graph by cudaGraphConditionalHandleCreate";
        case Rule::condition_unknown:
            return "the condition of the {type} node that was made at {at} has no value: no kernel before it has set it in this launch, and its handle was created without cudaGraphCondAssignDefault";
        case Rule::condition_not_ordered:
            return "{who} sets at {at} the condition of the {type} node that was made at {made}, and nothing orders the two nodes: an edge is missing";
        case Rule::condition_set_by_two:
            return "two set one condition, and nothing orders them| {who} at {at} and {other} at {other_at}; let one thread alone call cudaGraphSetConditional";
        case Rule::strange_condition:
            return "{who} sets a condition at {at} that no conditional node of its graph has: only a kernel of the graph with the node can set it";
        default:
            return nullptr;
    }
}

const char* words_of_device_launch(Rule rule) {
    switch (rule) {
        case Rule::launched_outside_of_graphs:
            return "{who} cannot launch the graph at {at}: its own kernel is in no graph, and only a kernel of a graph can launch one: put it into a graph, and let the host launch that";
        case Rule::launched_in_body:
            return "{who} cannot launch the graph at {at}: its own kernel is in the body of a conditional node, which can launch nothing";
        case Rule::launched_into_no_stream:
            return "{who} cannot launch the graph at {at}: the stream must be cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch or cudaStreamGraphFireAndForgetAsSibling";
        case Rule::launched_no_instance:
            return "{who} cannot launch the graph at {at}: there is no such instance, or it has been destroyed";
        case Rule::launched_not_for_device:
            return "{who} cannot launch the graph at {at}: the instance was made without cudaGraphInstantiateFlagDeviceLaunch";
        case Rule::launched_not_uploaded:
            return "{who} cannot launch the graph at {at}: the device does not have it: cudaGraphUpload is missing behind its instantiation or its last change, or has not been waited for";
        case Rule::launched_active:
            return "{who} cannot launch the graph at {at}: it is active already: an earlier launch of it has not ended, and an instance runs once at a time (only a launch of itself into cudaStreamGraphTailLaunch may wait for its end)";
        case Rule::launched_itself_twice:
            return "{who} cannot launch the graph at {at}: it has launched itself before: one launch of itself can be pending";
        case Rule::launched_too_many_fired:
            return "{who} cannot launch the graph at {at}: it would be the 121st: a graph can fire and forget 120 graphs each time it runs";
        case Rule::launched_too_many_tails:
            return "{who} cannot launch the graph at {at}: it would be the 256th: a graph can have 255 tail launches pending";
        default:
            return nullptr;
    }
}

const char* words_of_device_node(Rule rule) {
    switch (rule) {
        case Rule::change_no_node:
            return "{who} cannot change a node at {at}: there is no such node; the handle is what the attribute cudaLaunchAttributeDeviceUpdatableKernelNode of the node gives, in devNode";
        case Rule::change_not_uploaded:
            return "{who} cannot change a node at {at}: the device does not have it: its graph has no instance, or none that was uploaded or launched";
        case Rule::change_without_upload:
            return "{who} cannot change a node at {at}: it is in the same graph, which was launched without an upload: cudaGraphUpload is missing behind the instantiation, or behind the host's last change";
        case Rule::change_no_field:
            return "{who} cannot change a node at {at}: the update names none of the fields cudaGraphKernelNodeFieldGridDim, cudaGraphKernelNodeFieldParam and cudaGraphKernelNodeFieldEnabled";
        case Rule::change_no_block:
            return "{who} cannot change a node at {at}: a grid has at least one block in each direction; for no block at all switch the node off (cudaGraphKernelNodeSetEnabled)";
        case Rule::no_parameter_there:
            return "{who} changes at {at} {bytes:bytes} at {offset} of the parameters of kernel `{kernel}`, and none is there: they are {parameters} (offsets are in bytes, see cudaFuncGetParamInfo)";
        case Rule::changed_by_two:
            return "two change one node, that of kernel `{kernel}`, and nothing orders them| {who} at {at} and {other} at {other_at}; let one thread alone change it";
        case Rule::change_not_ordered:
            return "{who} changes at {at} the node of kernel `{kernel}`, and nothing orders the change with that node's run: an edge is missing";
        case Rule::updatable_second_instance:
            return "a graph with a device-updatable node can have one instance at a time, and it has one already ({at})";
        case Rule::updatable_removed:
            return "a device-updatable node cannot be removed from its graph ({at})";
        case Rule::updatable_taken_back:
            return "a device-updatable node stays one: the attribute cannot be set to 0 any more ({at})";
        case Rule::updatable_no_flag:
            return "deviceUpdatable is 0 or 1 ({at})";
        case Rule::updatable_attributes_copied:
            return "the attributes of a device-updatable node cannot be copied, nor can it get those of another node ({at})";
        case Rule::updatable_graph_updated:
            return "cudaGraphExecUpdate takes no graph and no instance with device-updatable nodes ({at})";
        case Rule::updatable_cloned:
            return "the CPU executor copies no graph with device-updatable nodes, since a handle is of one node ({at})";
        case Rule::updatable_not_captured:
            return "a launch with cudaLaunchAttributeDeviceUpdatableKernelNode makes a node of a graph: its stream must capture ({at})";
        default:
            return nullptr;
    }
}

}  // namespace

const char* words_of_graph(Rule rule) {
    for (const auto family :
         {words_of_capture, words_of_instance, words_of_device_launch, words_of_device_node})
        if (const char* const words = family(rule)) return words;
    return nullptr;
}

}  // namespace kit::words
