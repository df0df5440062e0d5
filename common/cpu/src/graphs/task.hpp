// The task of a node of a graph. Arguments, addresses and sizes are copied when the node is created.
#pragma once

#include <driver_types.h>

#include <functional>
#include <kit_cpu/launch.hpp>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "memory/copies.hpp"
#include "run/meeting.hpp"
#include "run/stream.hpp"

struct CUgraph_st;

namespace kit::cpu {

class GraphMemory;
struct Condition;

struct HostTask {
    cudaHostFn_t function;
    void* data;
};
struct ChildTask {
    std::shared_ptr<CUgraph_st> graph;
};
struct EmptyTask {};
struct WaitTask {
    cudaEvent_t event;
};
struct RecordTask {
    cudaEvent_t event;
};
struct AllocTask {
    std::shared_ptr<GraphMemory> memory;
    Place place;
};
/// A node's part of a meeting, which several streams perform together (run/meeting.hpp). Each launch of the
/// graph is a separate meeting.
struct MeetingTask {
    std::string what;            ///< name of the called function
    std::function<Part()> part;  ///< returns the node's part in the next launch
};
struct FreeTask {
    std::shared_ptr<GraphMemory> memory;
    Place place;
};

struct ConditionalTask {
    std::shared_ptr<Condition> condition;
    cudaGraphConditionalNodeType type;
    std::vector<std::shared_ptr<CUgraph_st>> bodies;
    std::shared_ptr<std::vector<cudaGraph_t>> handles;  ///< handles of the bodies, which the program uses
    Place place;
};

using NodeTask = std::variant<EmptyTask, Launch, CopyTask, FillTask, HostTask, ChildTask, WaitTask,
                              RecordTask, AllocTask, FreeTask, ConditionalTask, MeetingTask>;

cudaGraphNodeType type_of(const NodeTask& task);

/// Returns the name of the called function for a node's report: the kernel, or the library function to which
/// the kernel belongs.
const char* kernel_of(const NodeTask& task);
/// Returns the name of a type of node: "kernel", "copy", "host_function" and so on.
const char* name_of(cudaGraphNodeType type);
/// Returns a finding that names this node.
Finding about_node(facts::Rule rule, const NodeTask& task, Place place);

/// Returns the function that runs at the node's turn; empty for a node that only has a position in the order.
std::function<cudaError_t()> runner(const NodeTask& task);
Work work_of(const NodeTask& task);
/// Returns the name of the node in reports.
WorkLabel label_of(const NodeTask& task);

}  // namespace kit::cpu
