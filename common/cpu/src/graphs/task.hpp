// What a node of a graph does. Arguments, addresses and sizes are copied when the node is made.
#pragma once

#include <driver_types.h>

#include <functional>
#include <kit_cpu/launch.hpp>
#include <memory>
#include <string>
#include <variant>

#include "memory/copies.hpp"
#include "run/stream.hpp"

struct CUgraph_st;

namespace kit::cpu {

class GraphMemory;

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
struct FreeTask {
    std::shared_ptr<GraphMemory> memory;
    Place place;
};

using NodeTask = std::variant<EmptyTask, Launch, CopyTask, FillTask, HostTask, ChildTask, WaitTask,
                              RecordTask, AllocTask, FreeTask>;

cudaGraphNodeType type_of(const NodeTask& task);

/// "kernel `scale`", "a copy", "a host function", ...
std::string describe(const NodeTask& task);

/// What a stream does when the node's turn comes; empty for nodes that only stand in the order.
std::function<cudaError_t()> runner(const NodeTask& task);
Work work_of(const NodeTask& task);

}  // namespace kit::cpu
