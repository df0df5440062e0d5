// Kernel nodes that kernels may change: what the device has of each, who changed it, and what orders that with its launches.
//
// The host's and the device's versions of such a node are two. An upload, or a launch by the host, gives the device what the
// host has made or changed since the last one; what kernels change stays until the host changes the node again.
#pragma once

#include <functional>
#include <kit_cpu/launch.hpp>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "kernel_caller.hpp"

struct CUgraph_st;
struct CUgraphNode_st;

namespace kit::cpu {
struct InstanceState;
}

/// What a cudaGraphDeviceNode_t points to. Its graph has one instance at a time.
struct CUgraphDeviceUpdatableNode_st {
    const kit::cpu::InstanceState* instance = nullptr;  ///< only an address; null: there was none yet

    // What the device has:
    bool uploaded = false;
    kit::cpu::Launch launch;
    bool enabled = true;
    std::map<std::pair<int, std::size_t>, kit::cpu::KernelCaller> changed_by;  ///< for a field and an offset
    kit::cpu::WorkStamp ran;                                                   ///< its latest launch
    bool has_run = false, told = false;
};

namespace kit::cpu {

/// Returns whether a valid call by a kernel must fail. See fail_device_graph_call().
bool device_graph_call_fails();

cudaGraphDeviceNode_t new_device_node();

/// Null if kernels may not change the node.
cudaGraphDeviceNode_t device_node_of(const CUgraphNode_st& node);
bool has_device_nodes(const CUgraph_st& graph);

/// From now on these nodes are of this instance, to which the copy of the graph belongs.
void adopt_device_nodes(const CUgraph_st& copy, const InstanceState* instance);

/// What an upload, or a launch by the host, does in its turn: the device gets the nodes that the host has made or changed.
std::function<void()> hand_to_device(const CUgraph_st& copy);

/// The node's launch begins: what it is now, null where it is switched off. Reports changes that nothing orders with it.
const Launch* begin_device_node(CUgraphDeviceUpdatableNode_st& node);

/// One change by a kernel; the value lies in host memory.
struct NodeChange {
    cudaGraphDeviceNode_t node;
    cudaGraphKernelNodeField field;
    dim3 grid = {};
    bool enabled = true;
    std::size_t offset = 0;
    std::vector<unsigned char> value = {};
};
cudaError_t change_device_node(const NodeChange& change, Place place);

}  // namespace kit::cpu
