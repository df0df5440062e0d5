// Kernel nodes that kernels can change: the device's version of each node, the kernel that changed it, and
// whether that change is ordered with the node's launches.
//
// Such a node has one version on the host and one on the device. An upload, or a launch by the host, copies
// the host's changes since the previous upload to the device. Changes by kernels stay until the host changes
// the node again.
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

/// The object to which a cudaGraphDeviceNode_t points. The graph of such a node has one instance at a time.
struct CUgraphDeviceUpdatableNode_st {
    /// Only its address is used; null if there was no instance yet.
    const kit::cpu::InstanceState* instance = nullptr;

    // The node's version on the device:
    bool uploaded = false;
    kit::cpu::Launch launch;
    bool enabled = true;
    /// The last call that changed each field, by field and offset.
    std::map<std::pair<int, std::size_t>, kit::cpu::KernelCaller> changed_by;
    kit::cpu::WorkStamp ran;  ///< the node's last launch
    bool has_run = false, told = false;
};

namespace kit::cpu {

/// Returns whether this valid call by a kernel must fail on purpose (fail_device_graph_call).
bool device_graph_call_fails();

cudaGraphDeviceNode_t new_device_node();

/// Returns the handle of the node; null if kernels cannot change the node.
cudaGraphDeviceNode_t device_node_of(const CUgraphNode_st& node);
bool has_device_nodes(const CUgraph_st& graph);

/// Makes these nodes those of an instance. `copy` is the instance's copy of the graph.
void adopt_device_nodes(const CUgraph_st& copy, const InstanceState* instance);

/// Returns the function that an upload, or a launch by the host, runs: it copies nodes that the host has
/// created or changed to the device.
std::function<void()> hand_to_device(const CUgraph_st& copy);

/// Called when the node's turn in a launch comes. Reports unordered changes. Returns the launch to run, or
/// null if the node is disabled.
const Launch* begin_device_node(CUgraphDeviceUpdatableNode_st& node);

/// One change to a node by a kernel, with the new value in host memory.
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
