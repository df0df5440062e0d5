// Shared by the tests of the topic: an instance of a student's graph, and counts of launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "17_device_graphs/17_device_graphs.hpp"
#include "grader.cuh"
#include "handles.hpp"

namespace device_graphs_test {

using kit::Stream;

/// Counts of one call. Only the CPU backend counts.
struct Ran {
    std::uint64_t kernels = 0, blocks = 0, bytes_stored = 0;
    std::uint64_t if_bodies = 0, while_bodies = 0, switch_bodies = 0;  ///< bodies that ran, by kind of node
    std::uint64_t by_device = 0,
                  tails = 0;  ///< graphs that kernels launched, and how many of them into the tail
};

#ifdef KIT_CPU
constexpr bool is_counted = true;
#else
constexpr bool is_counted = false;
#endif

/// Launches an instance once, and waits. `trapped`: why a kernel ends in __trap(), where nothing but the error shows it.
inline Ran launch(kit::Case& test, cudaGraphExec_t exec, cudaStream_t stream, const kit::Said& trapped = "") {
    Ran ran;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] {
        test.cuda(cudaGraphLaunch(exec, stream));
        const cudaError_t error = cudaStreamSynchronize(stream);
        if (!is_counted && error == cudaErrorLaunchFailure && !trapped.empty())
            test.fail(kit::Diagnosis::cuda_error, trapped);
        test.cuda(error);
    });
#ifdef KIT_CPU
    const kit::cpu::Counters counters = kit::cpu::counters();
    ran = {counters.kernels,
           counters.blocks,
           counters.global_bytes_stored,
           counters.if_bodies,
           counters.while_bodies,
           counters.switch_bodies,
           counters.device_graph_launches,
           counters.device_graph_tails};
#endif
    return ran;
}

/// Calls the student's function, which returns its graph or instances and must launch nothing.
template <class Function>
auto made_by(kit::Case& test, Function function) {
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    auto made = test.call(function);
#ifdef KIT_CPU
    test.demand("graph launches", kit::exactly(kit::cpu::counters().graph_launches, 0),
                "the function launched a graph (cudaGraphLaunch): only build it, because the caller "
                "launches it");
#endif
    return made;
}

/// The same for a function that only builds a graph. It uploads nothing, so it must not wait.
template <class Function>
cudaGraph_t graph_made_by(kit::Case& test, Function function) {
    [[maybe_unused]] std::uint64_t waits = 0;  // read inside the call, because the grader waits, too
    const cudaGraph_t made = made_by(test, [&] {
        const cudaGraph_t graph = function();
#ifdef KIT_CPU
        waits = kit::cpu::counters().synchronizations;
#endif
        return graph;
    });
#ifdef KIT_CPU
    test.demand("waits", kit::exactly(waits, 0),
                "the function waits for the device: only build a graph, because the caller waits after "
                "the launch");
#endif
    return made;
}

/// Graphs and instances that a function returns to the caller, which destroys them.
struct Returned {
    std::uint64_t graphs = 0, instances = 0;
};

/// Call it after made_by(). Demands that the function has destroyed all other graphs and instances, which these tasks create.
inline void expect_nothing_left([[maybe_unused]] kit::Case& test, [[maybe_unused]] Returned returned,
                                [[maybe_unused]] const kit::Said& task_of_instances = "",
                                [[maybe_unused]] const kit::Said& task_of_graphs = "") {
#ifdef KIT_CPU
    const kit::cpu::Counters now = kit::cpu::counters();
    const auto left = [&](const char* what, std::uint64_t made, std::uint64_t destroyed,
                          std::uint64_t handed_over, const kit::Said& task) {
        test.demand("leaks", kit::at_most(made, destroyed + handed_over),
                    "the function creates " + std::to_string(made) + " " + what + ", returns " +
                        std::to_string(handed_over) + " and destroys " + std::to_string(destroyed) +
                        ": destroy those that you do not return" + task,
                    kit::Diagnosis::second_call);
    };
    left("graphs", now.graphs_made, now.graphs_destroyed, returned.graphs, task_of_graphs);
    left("instances", now.graph_instances, now.graph_instances_destroyed, returned.instances,
         task_of_instances);
#endif
}

/// Lets call number `failing`, starting at 0, fail. Kernels that launch graphs or change nodes pass each error to a function that ends
/// the kernel, so that the launch by the host fails, too.
inline void expect_end([[maybe_unused]] kit::Case& test, [[maybe_unused]] cudaGraphExec_t exec,
                       [[maybe_unused]] cudaStream_t stream, [[maybe_unused]] unsigned failing,
                       [[maybe_unused]] const kit::Said& sentence) {
#ifdef KIT_CPU
    bool ended = false;
    test.call_unchecked([&] {
        kit::cpu::fail_device_graph_call(failing);
        ended = cudaGraphLaunch(exec, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess;
        ended = ended || !kit::cpu::device_graph_call_failed();  // the kernels made fewer calls
    });
    test.check(kit::detail::passed("the launch failed", ended), sentence);
#endif
}

/// Such a case ends with a sticky error, so it runs once.
[[maybe_unused]] constexpr kit::CaseOptions ends_with_an_error = {10, true};

/// An instance of a student's graph.
class Instance {
  public:
    Instance(kit::Case& test, cudaGraph_t graph) {
        test.check(graph != nullptr, "the function returned no graph: return the graph that you build");
        if (graph == nullptr) return;
        test.cuda(cudaGraphInstantiate(&exec_, graph, 0));
        test.cuda(cudaGraphDestroy(graph));
    }
    ~Instance() {
        if (exec_ != nullptr) cudaGraphExecDestroy(exec_);
    }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    operator cudaGraphExec_t() const { return exec_; }

  private:
    cudaGraphExec_t exec_ = nullptr;
};

/// Overwrites device memory of the student before the next launch.
template <class T>
void overwrite(kit::Case& test, T* device, const std::vector<T>& values) {
    test.cuda(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    test.cuda(cudaDeviceSynchronize());
}

using kit::count_of;

}  // namespace device_graphs_test
