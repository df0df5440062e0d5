// Changes to kernel nodes by kernels: which are allowed, and when they take effect.
#include "device_nodes.hpp"

#include <algorithm>
#include <cstring>
#include <kit_cpu/executor.hpp>
#include <unordered_set>

#include "device/launch_limits.hpp"
#include "graph.hpp"
#include "graph_run.hpp"
#include "run/stream.hpp"
#include "run/worker.hpp"
#include "source/findings.hpp"

using Node = CUgraphDeviceUpdatableNode_st;

namespace kit::cpu {
namespace {

auto& device_nodes =
    *new std::unordered_set<const Node*>;  // never destroyed, because programs may use the handles until they
                                           // end

std::int64_t works_before_failure =
    -1;  // number of calls that still succeed before fail_device_graph_call() makes one fail; below 0: none
         // fails

template <class Body>
void for_each_device_node(const CUgraph_st& graph, Body body) {
    for (const auto& node : graph.nodes) {
        if (device_node_of(*node)) body(*node, *device_node_of(*node));
        for (const auto& inner : inner_graphs(node->task)) for_each_device_node(*inner, body);
    }
}

bool is_same(const WorkStamp& a, const WorkStamp& b) {
    return a.id == b.id && a.stream == b.stream;
}

/// The layout of a kernel's arguments on the device, one after another.
struct Parameters {
    explicit Parameters(const Launch& launch) : list(launch.body->arguments) {
        std::size_t end = 0;
        for (const Argument& argument : list) {
            begins.push_back((end + argument.alignment - 1) / argument.alignment * argument.alignment);
            end = begins.back() + argument.bytes;
        }
    }
    /// Returns the index of the parameter that contains these bytes; the number of parameters if none does.
    std::size_t index(std::size_t offset, std::size_t bytes) const {
        const auto fits = [&](std::size_t i) {
            if (list[i].scalar) return offset == begins[i] && bytes == list[i].bytes;
            return offset >= begins[i] && bytes <= list[i].bytes &&
                   offset - begins[i] <= list[i].bytes - bytes;
        };
        std::size_t i = 0;
        while (i < list.size() && !fits(i)) ++i;
        return i;
    }
    ArgumentList list;  ///< arguments of a call, which the launch keeps alive
    std::vector<std::size_t> begins;
};

/// Replaces some bytes of a parameter in the launch.
void set_parameter(Launch& launch, const Parameters& parameters, std::size_t index,
                   const NodeChange& change) {
    std::vector<std::unique_ptr<unsigned char[]>> copies;
    std::vector<void*> arguments;
    for (const Argument& argument : parameters.list) {
        copies.push_back(std::make_unique<unsigned char[]>(argument.bytes));
        std::memcpy(copies.back().get(), argument.address, argument.bytes);
        arguments.push_back(copies.back().get());
    }
    std::memcpy(copies[index].get() + (change.offset - parameters.begins[index]), change.value.data(),
                change.value.size());
    launch.body = launch.body->with_arguments(arguments.data());
}

cudaError_t refuse(facts::Rule rule, Place place) {
    add_finding(finding(rule, running_spot(place), place).by(running_thread()));
    return cudaErrorInvalidValue;
}

/// Applies a change by a kernel to the node. Records the caller if a value changes.
cudaError_t apply(Node& node, const NodeChange& change, Place place) {
    if (change.field == cudaGraphKernelNodeFieldEnabled) {
        node.enabled = change.enabled;
        return cudaSuccess;
    }
    Launch launch = node.launch;
    if (change.field == cudaGraphKernelNodeFieldGridDim) {
        launch.grid = change.grid;
        launch.place = place;
        if (!launch.grid.x || !launch.grid.y || !launch.grid.z)
            return refuse(facts::Rule::change_no_block, place);
        if (check_launch(launch) != cudaSuccess) return cudaErrorInvalidValue;
        node.launch.grid = change.grid;
        return cudaSuccess;
    }
    if (change.field != cudaGraphKernelNodeFieldParam) return refuse(facts::Rule::change_no_field, place);
    const Parameters parameters(launch);
    const std::size_t index = parameters.index(change.offset, change.value.size());
    if (index == parameters.list.size()) {
        Finding wrong = finding(facts::Rule::no_parameter_there, running_spot(place), place)
                            .by(running_thread())
                            .in(launch.name)
                            .with("bytes", change.value.size())
                            .with("offset", change.offset);
        for (std::size_t i = 0; i < parameters.list.size(); ++i)
            wrong.with("parameter_bytes", parameters.list[i].bytes).with("parameter", parameters.begins[i]);
        add_finding(std::move(wrong));
        return cudaErrorInvalidValue;
    }
    set_parameter(node.launch, parameters, index, change);
    return cudaSuccess;
}

}  // namespace

void fail_device_graph_call(unsigned after) {
    works_before_failure = after;
}

bool device_graph_call_failed() {
    return std::exchange(works_before_failure, -1) < 0;
}

bool device_graph_call_fails() {
    return works_before_failure >= 0 && works_before_failure-- == 0;
}

cudaGraphDeviceNode_t new_device_node() {
    auto* const made = new Node;
    device_nodes.insert(made);
    return made;
}

cudaGraphDeviceNode_t device_node_of(const CUgraphNode_st& node) {
    const auto* const launch = std::get_if<Launch>(&node.task);
    return launch ? launch->device_node : nullptr;
}

bool has_device_nodes(const CUgraph_st& graph) {
    return find_anywhere(graph, [](const CUgraphNode_st& node) { return device_node_of(node) != nullptr; });
}

void adopt_device_nodes(const CUgraph_st& copy, const InstanceState* instance) {
    for_each_device_node(copy, [&](CUgraphNode_st& host, Node& node) {
        host.for_upload = true;
        node = Node();
        node.instance = instance;
    });
}

std::function<void()> hand_to_device(const CUgraph_st& copy) {
    struct Version {
        Node* node;
        Launch launch;
        bool enabled;
    };
    std::vector<Version> versions;
    for_each_device_node(copy, [&](CUgraphNode_st& host, Node& node) {
        if (!std::exchange(host.for_upload, false)) return;
        versions.push_back({&node, std::get<Launch>(host.task), host.enabled});
    });
    return [versions = std::move(versions)] {
        for (const Version& version : versions) {
            version.node->uploaded = true;
            version.node->launch = version.launch;
            version.node->enabled = version.enabled;
            version.node->changed_by.clear();
        }
    };
}

const Launch* begin_device_node(Node& node) {
    const WorkStamp now = work_now();
    for (const auto& [field, caller] : node.changed_by) {
        if (is_same(caller.work, now) || work_order().ordered(caller.work, now)) continue;
        if (!std::exchange(node.told, true))
            add_finding(
                finding(facts::Rule::change_not_ordered, caller.place).by(caller.who).in(node.launch.name));
    }
    node.ran = now;
    node.has_run = true;
    return node.enabled ? &node.launch : nullptr;
}

cudaError_t change_device_node(const NodeChange& change, Place place) {
    if (!device_nodes.count(change.node)) return refuse(facts::Rule::change_no_node, place);
    Node& node = *change.node;
    if (!node.uploaded) return refuse(facts::Rule::change_not_uploaded, place);
    const GraphRun* const run = GraphRun::now();
    if (run && run->lacks_upload(node.instance)) return refuse(facts::Rule::change_without_upload, place);
    const KernelCaller caller = KernelCaller::now(place);
    KernelCaller& earlier = node.changed_by[{change.field, change.offset}];
    if (!earlier.is_ordered_with(caller) && !std::exchange(node.told, true))
        add_finding(finding(facts::Rule::changed_by_two, earlier.place, place)
                        .by(earlier.who)
                        .in(node.launch.name)
                        .and_by(caller.who, where_of(running_spot(place))));
    if (node.has_run && !is_same(node.ran, caller.work) && !work_order().ordered(node.ran, caller.work) &&
        !std::exchange(node.told, true))
        add_finding(finding(facts::Rule::change_not_ordered, place).by(caller.who).in(node.launch.name));
    earlier = caller;
    if (device_graph_call_fails()) return cudaErrorMemoryAllocation;
    return apply(node, change, place);
}

}  // namespace kit::cpu
