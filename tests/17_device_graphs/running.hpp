// What the tests of the topic share: an instance of a student's graph, and who launched how much.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "17_device_graphs/17_device_graphs.hpp"
#include "grader.cuh"
#include "handles.hpp"

namespace device_graphs_test {

using kit::Stream;

/// What ran in one call. Only the CPU backend can tell.
struct Ran {
    std::uint64_t kernels = 0, bodies = 0, by_device = 0, blocks = 0;
};

#ifdef KIT_CPU
constexpr bool is_counted = true;
#else
constexpr bool is_counted = false;
#endif

/// Launches an instance once, and waits.
inline Ran launch(kit::Case& test, cudaGraphExec_t exec, cudaStream_t stream) {
    Ran ran;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] {
        test.cuda(cudaGraphLaunch(exec, stream));
        test.cuda(cudaStreamSynchronize(stream));
    });
#ifdef KIT_CPU
    const kit::cpu::Counters counters = kit::cpu::counters();
    ran = {counters.kernels, counters.conditional_bodies, counters.device_graph_launches, counters.blocks};
#endif
    return ran;
}

/// The student's function makes its graph or its instances, and launches nothing.
template <class Function>
auto made_by(kit::Case& test, Function function) {
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    auto made = test.call(function);
#ifdef KIT_CPU
    test.demand("graph launches", kit::cpu::counters().graph_launches == 0,
                "the function launched a graph; it only makes one, and the caller launches it");
#endif
    return made;
}

/// The instance of a student's graph.
class Instance {
  public:
    Instance(kit::Case& test, cudaGraph_t graph) {
        test.check(graph != nullptr, "there is no graph");
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

/// Overwrites device memory of the student's, before the next launch.
template <class T>
void overwrite(kit::Case& test, T* device, const std::vector<T>& values) {
    test.cuda(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    test.cuda(cudaDeviceSynchronize());
}

inline std::string count_of(std::uint64_t number, const std::string& what) {
    const bool bodies = what == "body";
    return std::to_string(number) + " " + (number == 1 ? what : bodies ? "bodies" : what + "s");
}

}  // namespace device_graphs_test
