// Kernel nodes that kernels can change: the device's version of each, the kernel that changed it, and the order of that with its launches.
//
// Such a node has a version for the host and one for the device. An upload, or a launch by the host, copies the host's changes since the
// previous one to the device. Changes by kernels stay until the host changes the node again.
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

/// The object to which a cudaGraphDeviceNode_t points. Its graph has one instance at a time.
struct CUgraphDeviceUpdatableNode_st {
    const kit::cpu::InstanceState* instance = nullptr;  ///< used only as an address; null: there was none yet

    // The device's version:
    bool uploaded = false;
    kit::cpu::Launch launch;
    bool enabled = true;
    std::map<std::pair<int, std::size_t>, kit::cpu::KernelCaller> changed_by;  ///< by field and offset
    kit::cpu::WorkStamp ran;                                                   ///< its last launch
    bool has_run = false, told = false;
};

namespace kit::cpu {

/// Returns whether a valid call by a kernel must fail. See fail_device_graph_call().
bool device_graph_call_fails();

cudaGraphDeviceNode_t new_device_node();

/// Returns the handle of the node; null if kernels cannot change the node.
cudaGraphDeviceNode_t device_node_of(const CUgraphNode_st& node);
bool has_device_nodes(const CUgraph_st& graph);

/// Assigns these nodes to this instance, to which the copy of the graph belongs.
void adopt_device_nodes(const CUgraph_st& copy, const InstanceState* instance);

/// Returns the work of an upload, or of a launch by the host: it copies nodes that the host has created or changed to the device.
std::function<void()> hand_to_device(const CUgraph_st& copy);

/// Called when the node's launch starts. Returns the node's current launch, or null if it is disabled. Reports unordered changes.
const Launch* begin_device_node(CUgraphDeviceUpdatableNode_st& node);

/// One change by a kernel, with its value in host memory.
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
