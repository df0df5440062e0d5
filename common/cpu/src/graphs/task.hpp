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
/// A part of work that several streams do together. Each launch is a separate meeting.
struct MeetingTask {
    std::string what;            ///< name of the called function
    std::function<Part()> part;  ///< returns the part for the next launch
};
struct FreeTask {
    std::shared_ptr<GraphMemory> memory;
    Place place;
};

struct ConditionalTask {
    std::shared_ptr<Condition> condition;
    cudaGraphConditionalNodeType type;
    std::vector<std::shared_ptr<CUgraph_st>> bodies;
    std::shared_ptr<std::vector<cudaGraph_t>> handles;  ///< the bodies' handles, for the program
    Place place;
};

using NodeTask = std::variant<EmptyTask, Launch, CopyTask, FillTask, HostTask, ChildTask, WaitTask,
                              RecordTask, AllocTask, FreeTask, ConditionalTask, MeetingTask>;

cudaGraphNodeType type_of(const NodeTask& task);

/// Returns the kernel of a node, or the function that its kernel belongs to; empty for other nodes.
const char* kernel_of(const NodeTask& task);
/// Returns "kernel", "copy", "host_function" and so on.
const char* name_of(cudaGraphNodeType type);
/// Returns a finding that names this node.
Finding about_node(facts::Rule rule, const NodeTask& task, Place place);

/// Returns the work that a stream does at the node's turn; empty for nodes that only have a place in the order.
std::function<cudaError_t()> runner(const NodeTask& task);
Work work_of(const NodeTask& task);
/// Returns the name that reports use.
WorkLabel label_of(const NodeTask& task);

}  // namespace kit::cpu
