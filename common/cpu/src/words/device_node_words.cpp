// Which rule about nodes that kernels change was broken, by whom, and what to do.
#include "device_node_words.hpp"

namespace kit::cpu {
namespace {

std::string in_words(ChangeFault fault) {
    switch (fault) {
        case ChangeFault::no_node:
            return "there is no such node; the handle is what the attribute "
                   "cudaLaunchAttributeDeviceUpdatableKernelNode of the node gives, in devNode";
        case ChangeFault::not_uploaded:
            return "the device does not have it: its graph has no instance, or none that was uploaded or "
                   "launched";
        case ChangeFault::launched_without_upload:
            return "it is in the same graph, which was launched without an upload: cudaGraphUpload is "
                   "missing "
                   "behind the instantiation, or behind the host's last change";
        case ChangeFault::no_field:
            return "the update names none of the fields cudaGraphKernelNodeFieldGridDim, "
                   "cudaGraphKernelNodeFieldParam and cudaGraphKernelNodeFieldEnabled";
        case ChangeFault::no_block:
            return "a grid has at least one block in each direction; for no block at all switch the node off "
                   "(cudaGraphKernelNodeSetEnabled)";
    }
    return "";
}

std::string in_words(UpdatableFault fault) {
    switch (fault) {
        case UpdatableFault::second_instance:
            return "a graph with a device-updatable node can have one instance at a time, and it has one "
                   "already";
        case UpdatableFault::removed:
            return "a device-updatable node cannot be removed from its graph";
        case UpdatableFault::taken_back:
            return "a device-updatable node stays one: the attribute cannot be set to 0 any more";
        case UpdatableFault::no_flag:
            return "deviceUpdatable is 0 or 1";
        case UpdatableFault::attributes_copied:
            return "the attributes of a device-updatable node cannot be copied, nor can it get those of "
                   "another "
                   "node";
        case UpdatableFault::graph_updated:
            return "cudaGraphExecUpdate takes no graph and no instance with device-updatable nodes";
        case UpdatableFault::cloned:
            return "the CPU executor copies no graph with device-updatable nodes, since a handle is of one "
                   "node";
        case UpdatableFault::not_captured:
            return "a launch with cudaLaunchAttributeDeviceUpdatableKernelNode makes a node of a graph: its "
                   "stream "
                   "must capture";
    }
    return "";
}

std::string bytes_at(std::size_t bytes, std::size_t offset) {
    return std::to_string(bytes) + (bytes == 1 ? " byte at " : " bytes at ") + std::to_string(offset);
}

}  // namespace

Finding node_change_refused(ChangeFault fault, const std::string& thread, const Spot& at, Place place) {
    return {"graph", thread + " cannot change a node at " + describe(at) + ": " + in_words(fault), place};
}

Finding no_parameter_there(const std::string& kernel, std::size_t offset, std::size_t bytes,
                           const std::vector<ParameterPlace>& parameters, const std::string& thread,
                           const Spot& at, Place place) {
    std::string list;
    for (const ParameterPlace& one : parameters)
        list += (list.empty() ? "" : ", ") + bytes_at(one.bytes, one.offset);
    return {"graph",
            thread + " changes at " + describe(at) + " " + bytes_at(bytes, offset) +
                " of the parameters of kernel `" + kernel + "`, and none is there: they are " +
                (list.empty() ? "none" : list) + " (offsets are in bytes, see cudaFuncGetParamInfo)",
            place};
}

Finding changed_by_two(const std::string& kernel, const std::string& first, Place first_at,
                       const std::string& second, const Spot& second_at, Place place) {
    return {"race",
            "two change one node, that of kernel `" + kernel + "`, and nothing orders them: " + first +
                " at " + describe(first_at) + " and " + second + " at " + describe(second_at) +
                "; let one thread alone change it",
            place};
}

Finding change_not_ordered(const std::string& kernel, const std::string& thread, Place changed_at) {
    return {"race",
            thread + " changes at " + describe(changed_at) + " the node of kernel `" + kernel +
                "`, and nothing orders the change with that node's run: an edge is missing",
            changed_at};
}

Finding updatable_node_refused(UpdatableFault fault, Place place) {
    return {"graph", in_words(fault) + " (" + describe(place) + ")", place};
}

std::string unknown_parameters(const std::string& kernel, const std::string& parameter, Place place) {
    return "the CPU executor does not know where the parameters of `" + kernel + "` lie, because of " +
           parameter + " among them (" + describe(place) + ")";
}

}  // namespace kit::cpu
