// How the demo of this topic compares versions: by time, like all demos; on the executor, by the calls to the runtime.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "demo.hpp"
#include "grader/calls.hpp"
#include "handles.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace compare {

using kit::Stream;
using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

/// A graph and its instance, which go together.
struct Instance {
    Instance() = default;
    explicit Instance(cudaGraph_t made) : graph(made) { CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0)); }
    Instance(Instance&& other) noexcept { swap(other); }
    Instance& operator=(Instance&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Instance() {
        if (exec != nullptr) cudaGraphExecDestroy(exec);
        if (graph != nullptr) cudaGraphDestroy(graph);
    }
    void launch(cudaStream_t stream) const { CUDA_CHECK(cudaGraphLaunch(exec, stream)); }

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;

  private:
    void swap(Instance& other) {
        std::swap(graph, other.graph);
        std::swap(exec, other.exec);
    }
};

/// Everything here is measured by the host's clock: from the first call to the end of a wait.
inline Work by_host_clock(long long n, const char* piece = "", long long pieces = 0) {
    Work work;
    work.n = n;
    work.repetitions = 31;
    work.host_clock = true;
    work.piece = piece;
    work.pieces = pieces;
    return work;
}

#ifdef KIT_CPU
/// The kernels that ran, and the calls that were made.
inline void versions(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                     const std::vector<Version>& all) {
    if (!demo.part(table)) return;
    demo.table(table, title + ", counted", {"version", kit::demo::widest_label(all)},
               {{"kernels", 0, 5},
                {"graph_launches", 0, 5},
                {"captures", 0, 5},
                {"instances", 0, 5},
                {"updates", 0, 5},
                {"waits", 0, 5}});
    for (const Version& version : all) {
        if (!demo.wants(version.id)) continue;
        kit::Calls calls;
        kit::demo::counts_of([&] { calls.in([&] { version.run(work.n); }); });
        const auto kernels = kit::cpu::counters().kernels;
        if (version.right != nullptr && !version.right(work.n)) {
            std::fprintf(stderr, "%s, %s: the result is wrong\n", table.c_str(), version.name.c_str());
            std::exit(EXIT_FAILURE);
        }
        demo.row(version.id, label_of(version, all),
                 {kernels, calls.launches, calls.captures, calls.instances, calls.updates, calls.waits});
    }
    demo.say_changes(all);
}

/// Counts grow with the size in a predictable way, so one size is enough.
inline void over_sizes(Demo& demo, const std::string& table, const std::string& title,
                       const std::vector<long long>& sizes, const std::vector<Version>& all) {
    versions(demo, table, title + ", n = " + std::to_string(sizes.front()), by_host_clock(sizes.front()),
             all);
}
#else
inline void versions(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                     const std::vector<Version>& all) {
    demo.ladder(table, title, work, all);
}

inline void over_sizes(Demo& demo, const std::string& table, const std::string& title,
                       const std::vector<long long>& sizes, const std::vector<Version>& all) {
    if (!demo.part(table)) return;
    demo.sweep(
        table, title, sizes, [](long long n) { return by_host_clock(n); }, all);
    demo.say_changes(all);
}
#endif

}  // namespace compare
