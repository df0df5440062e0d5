// The type, the name and the execution of each kind of graph node.
#include "task.hpp"

#include "graph_memory.hpp"
#include "memory/memory.hpp"
#include "run/family.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

cudaGraphNodeType type_of(const NodeTask& task) {
    constexpr cudaGraphNodeType types[] = {
        cudaGraphNodeTypeEmpty,     cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,
        cudaGraphNodeTypeMemset,    cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,
        cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeMemAlloc,
        cudaGraphNodeTypeMemFree,   cudaGraphNodeTypeConditional, cudaGraphNodeTypeKernel};
    return types[task.index()];
}

const char* kernel_of(const NodeTask& task) {
    if (const auto* const meeting = std::get_if<MeetingTask>(&task)) return meeting->what.c_str();
    const auto* const launch = std::get_if<Launch>(&task);
    return launch ? launch->name : "";
}

const char* name_of(cudaGraphNodeType type) {
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return "kernel";
        case cudaGraphNodeTypeMemcpy:
            return "copy";
        case cudaGraphNodeTypeMemset:
            return "fill";
        case cudaGraphNodeTypeHost:
            return "host_function";
        case cudaGraphNodeTypeGraph:
            return "child_graph";
        case cudaGraphNodeTypeWaitEvent:
            return "wait";
        case cudaGraphNodeTypeEventRecord:
            return "event";
        case cudaGraphNodeTypeMemAlloc:
            return "allocation";
        case cudaGraphNodeTypeMemFree:
            return "free";
        case cudaGraphNodeTypeConditional:
            return "conditional";
        default:
            return "empty";
    }
}

Finding about_node(facts::Rule rule, const NodeTask& task, Place place) {
    return finding(rule, place).in(kernel_of(task)).with("node", name_of(type_of(task)));
}

std::function<cudaError_t()> runner(const NodeTask& task) {
    using Run = std::function<cudaError_t()>;
    return std::visit(
        Overloaded{
            [](const Launch& launch) -> Run { return [launch] { return Family(launch).run(); }; },
            [](const CopyTask& copy) -> Run { return [copy] { return run(copy); }; },
            [](const FillTask& fill) -> Run { return [fill] { return run(fill); }; },
            [](const HostTask& host) -> Run {
                return [host] {
                    host.function(host.data);
                    return cudaSuccess;
                };
            },
            [](const AllocTask& alloc) -> Run {
                return [alloc] { return alloc.memory->allocate(alloc.place); };
            },
            [](const FreeTask& free) -> Run { return [free] { return free.memory->free(free.place); }; },
            [](const auto&) -> Run { return nullptr; }},
        task);
}

Work work_of(const NodeTask& task) {
    if (std::holds_alternative<Launch>(task) || std::holds_alternative<ConditionalTask>(task))
        return Work::kernel;
    return std::holds_alternative<HostTask>(task) ? Work::host_function : Work::copy;
}

WorkLabel label_of(const NodeTask& task) {
    return std::visit(
        Overloaded{
            [](const Launch& launch) {
                WorkLabel label{WorkKind::kernel, launch.name, launch.place};
                label.calls = launch.calls;
                return label;
            },
            [](const CopyTask& copy) {
                const bool to = is_device(find_allocation(copy.to.begin)),
                           from = is_device(find_allocation(copy.from.begin));
                return WorkLabel{copy_kind(to, from), copy.what, copy.place,
                                 copy.shape.width * copy.shape.height};
            },
            [](const FillTask& fill) {
                return WorkLabel{WorkKind::fill, fill.what, fill.place, fill.shape.width * fill.shape.height};
            },
            [](const HostTask&) {
                return WorkLabel{WorkKind::host_function, "", {}};
            },
            [](const ConditionalTask&) {
                return WorkLabel{WorkKind::kernel, "conditional", {}};
            },
            [](const MeetingTask& meeting) {
                return WorkLabel{WorkKind::collective, meeting.what, {}};
            },
            [](const auto&) { return WorkLabel{}; }},
        task);
}

}  // namespace kit::cpu
