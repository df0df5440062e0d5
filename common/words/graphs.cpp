// Sentences about stream captures and graphs, and about graphs and nodes that kernels launch or change.
#include <words/finding.hpp>

namespace kit::words {

using facts::Rule;

namespace {

const char* words_of_capture(Rule rule) {
    switch (rule) {
        case Rule::capture_default_stream:
            return "{call} uses the default stream, which waits for all blocking streams, and one of them is capturing| at {at}; the broken capture begins at {begun}~Use the capturing stream";
        case Rule::capture_not_repeated:
            return "{call} is not allowed during a capture| a launch of the graph cannot repeat it at {at}; the broken capture begins at {begun}~Call it before the capture begins";
        case Rule::capture_has_no_node:
            return "{call} cannot be captured at {at}; the broken capture begins at {begun}~Use cudaMemcpyAsync() with cudaMemcpyDefault";
        case Rule::capture_waits_for_stream:
            return "{call} waits for a stream that is capturing| none of its work has started at {at}; the broken capture begins at {begun}~Wait after a launch of the graph";
        case Rule::capture_waits_for_event:
            return "{call} waits for an event that was recorded in a capture| none of that work has started at {at}; the broken capture begins at {begun}~Wait after a launch of the graph";
        case Rule::capture_waits_for_device:
            return "{call} waits while a stream is capturing| none of its work has started at {at}; the broken capture begins at {begun}~Wait before the capture, or after a launch of the graph";
        case Rule::capture_event_from_outside:
            return "{call} waits for an event that was recorded outside the capture| a graph cannot wait for work that is not in it at {at}; the broken capture begins at {begun}~Record the event in the capture, before this wait";
        case Rule::capture_event_of_ended:
            return "{call} uses an event of another capture, which has ended, at {at}; the broken capture begins at {begun}~Record the event in this capture, before this wait";
        case Rule::capture_default_stream_joins:
            return "the default stream cannot take part in a capture at {at}; the broken capture begins at {begun}~Use streams that you have created";
        case Rule::capture_merges_two:
            return "{call} would merge two captures at {at}; the broken capture begins at {begun}~End one of them first";
        case Rule::capture_frees_strange_memory:
            return "a captured {call} frees memory that no graph has allocated at {at}; the broken capture begins at {begun}~Free it outside the capture";
        case Rule::capture_frees_again:
            return "a captured {call} frees memory that another node already frees at {at}; the broken capture begins at {begun}~Free it once";
        case Rule::capture_ends_elsewhere:
            return "{call} is called for a stream that only joined the capture at {at}; the broken capture begins at {begun}~End the capture in the stream where it began";
        case Rule::capture_not_joined:
            return "the capture ends at {at}, but its first stream does not wait for {node}, which is in a stream that joined the capture~Record an event after this work, and let the first stream wait for it";
        default:
            return nullptr;
    }
}

const char* words_of_instance(Rule rule) {
    switch (rule) {
        case Rule::graph_has_cycle:
            return "the graph that is instantiated at {at} has a cycle~Remove one of its edges";
        case Rule::graph_has_instance:
            return "the instantiation at {at} is the second one of a graph that allocates memory, which can have one instance at a time~Destroy the first instance before you make the second one";
        case Rule::graph_memory_not_freed:
            return "the graph is launched again at {at} although memory of its last launch has not been freed~Free it with cudaFreeAsync, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch";
        case Rule::not_in_device_graph:
            return "a graph with {node} is instantiated for the device at {at}: such a graph can contain only kernels, fills, child graphs, and copies in device or pinned memory~Leave the other nodes out";
        case Rule::device_graph_frees:
            return "the graph cannot be instantiated for the device at {at}: only the host can launch a graph with cudaGraphInstantiateFlagAutoFreeOnLaunch~Instantiate it with one of the two flags";
        case Rule::device_graph_empty:
            return "the graph cannot be instantiated for the device at {at}: it has no node that does anything~Add a kernel, a copy or a fill";
        case Rule::not_in_body:
            return "the graph that is instantiated at {at} has {node} in the body of a conditional node, which can contain only kernels, copies, fills, empty nodes, child graphs and conditional nodes~Move the node out of the body";
        case Rule::conditional_has_instance:
            return "the instantiation at {at} is the second one of a graph with a conditional node, which can have one instance at a time~Destroy the first instance before you make the second one";
        case Rule::handle_has_node:
            return "the conditional node at {at} has the handle of another node~Create one handle for each conditional node";
        case Rule::handle_of_another_graph:
            return "the handle of the conditional node at {at} was not created for its graph~Create it with cudaGraphConditionalHandleCreate for this graph";
        case Rule::condition_unknown:
            return "the condition of the {type} node at {at} has no value: no earlier kernel of this launch has set it, and its handle was created without cudaGraphCondAssignDefault~Set it in such a kernel, or create the handle with this flag";
        case Rule::condition_not_ordered:
            return "{who} sets at {at} the condition of the {type} node at {made}, and nothing orders the two nodes~Add an edge";
        case Rule::condition_set_by_two:
            return "two threads set one condition, and nothing orders them| {who} at {at} and {other} at {other_at}~Let one thread call cudaGraphSetConditional";
        case Rule::strange_condition:
            return "{who} sets a condition at {at}, but no conditional node of its graph has it~Let a kernel of the same graph set the condition of a node";
        default:
            return nullptr;
    }
}

const char* words_of_device_launch(Rule rule) {
    switch (rule) {
        case Rule::launched_outside_of_graphs:
            return "{who} cannot launch the graph at {at}: only a kernel of a graph can launch a graph, but this kernel is not in a graph~Put it into a graph, and let the host launch that graph";
        case Rule::launched_in_body:
            return "{who} cannot launch the graph at {at}: its own kernel is in the body of a conditional node, where kernels cannot launch anything~Let a kernel outside of the body launch it";
        case Rule::launched_into_no_stream:
            return "{who} cannot launch the graph at {at}: the stream is not a stream for such launches~Pass cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch or cudaStreamGraphFireAndForgetAsSibling";
        case Rule::launched_no_instance:
            return "{who} cannot launch the graph at {at}: this instance does not exist, or it has been destroyed~Instantiate the graph before the launch, and destroy it after the launch";
        case Rule::launched_not_for_device:
            return "{who} cannot launch the graph at {at}: it was instantiated without cudaGraphInstantiateFlagDeviceLaunch~Instantiate it with this flag";
        case Rule::launched_not_uploaded:
            return "{who} cannot launch the graph at {at}: it is not on the device~Call cudaGraphUpload after its instantiation and after each change, and wait for the upload";
        case Rule::launched_active:
            return "{who} cannot launch the graph at {at}: an earlier launch of this instance has not ended~Launch it once, and again only after it has ended; only a graph that launches itself into cudaStreamGraphTailLaunch can do so earlier";
        case Rule::launched_itself_twice:
            return "{who} cannot launch the graph at {at}: the graph has already launched itself, and only one launch of itself can be pending~Let it launch itself once";
        case Rule::launched_too_many_fired:
            return "{who} cannot launch the graph at {at}: this is the 121st, but a graph can launch only 120 graphs as fire-and-forget each time it runs~Launch fewer graphs";
        case Rule::launched_too_many_tails:
            return "{who} cannot launch the graph at {at}: this is the 256th, but a graph can have only 255 pending tail launches~Launch fewer graphs";
        default:
            return nullptr;
    }
}

const char* words_of_device_node(Rule rule) {
    switch (rule) {
        case Rule::change_no_node:
            return "{who} cannot change a node at {at}: this node does not exist~Take the handle from the node's attribute cudaLaunchAttributeDeviceUpdatableKernelNode, in devNode";
        case Rule::change_not_uploaded:
            return "{who} cannot change a node at {at}: it is not on the device~Instantiate its graph, and upload or launch the instance first";
        case Rule::change_without_upload:
            return "{who} cannot change a node at {at}: it is in the same graph, and that graph was launched without an upload~Call cudaGraphUpload after the instantiation and after each change by the host";
        case Rule::change_no_field:
            return "{who} cannot change a node at {at}: the update does not name a field that can change~Name one of the fields cudaGraphKernelNodeFieldGridDim, cudaGraphKernelNodeFieldParam and cudaGraphKernelNodeFieldEnabled";
        case Rule::change_no_block:
            return "{who} cannot change a node at {at}: a grid has at least one block in each direction~To run no block, disable the node (cudaGraphKernelNodeSetEnabled)";
        case Rule::no_parameter_there:
            return "{who} changes at {at} {bytes:bytes} at offset {offset} in the parameters of kernel `{kernel}`, but no parameter is there: the parameters are {parameters} (cudaFuncGetParamInfo reports them)~Pass the offset of a parameter in bytes";
        case Rule::changed_by_two:
            return "two threads change the node of kernel `{kernel}`, and nothing orders them| {who} at {at} and {other} at {other_at}~Let one thread change it";
        case Rule::change_not_ordered:
            return "{who} changes at {at} the node of kernel `{kernel}`, and nothing orders the change and the run of that node~Add an edge";
        case Rule::updatable_second_instance:
            return "this is the second instantiation of a graph with a device-updatable node: such a graph can have one instance at a time ({at})~Destroy the first instance before you make the second one";
        case Rule::updatable_removed:
            return "a device-updatable node cannot be removed from its graph ({at})~Disable it instead";
        case Rule::updatable_taken_back:
            return "a device-updatable node stays device-updatable: its attribute cannot be set to 0 ({at})~Remove this call";
        case Rule::updatable_no_flag:
            return "deviceUpdatable is neither 0 nor 1 ({at})~Set it to 0 or 1";
        case Rule::updatable_attributes_copied:
            return "the attributes of a device-updatable node cannot be copied, and it cannot get those of another node ({at})~Set its attributes one by one";
        case Rule::updatable_graph_updated:
            return "cudaGraphExecUpdate does not accept a graph or an instance with device-updatable nodes ({at})~Instantiate the changed graph instead";
        case Rule::updatable_cloned:
            return "the CPU executor cannot clone a graph with device-updatable nodes, because a handle belongs to one node ({at})~Build the second graph in the same way as the first";
        case Rule::updatable_not_captured:
            return "a launch with cudaLaunchAttributeDeviceUpdatableKernelNode becomes a node of a graph, but its stream is not capturing ({at})~Begin a capture first";
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
