// Measures each version of the demo: times on a GPU; launches, bodies, blocks and waits on the CPU executor.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "demo.hpp"
#include "loops.hpp"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace ways {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using loops::Exec;

/// Selects what the third column counts.
enum class Third { bodies, blocks };

#ifdef KIT_CPU
constexpr bool on_gpu = false;

/// Runs each version and prints its counts: graphs launched by the host, launches by kernels, bodies or blocks, waits.
inline void run(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions, Third third = Third::bodies) {
    if (!demo.part(table)) return;
    demo.table(table, title + ", counted", {"version", kit::demo::widest_label(versions)},
               {{"graphs", 0, 6},
                {"by_kernels", 0, 10},
                {third == Third::blocks ? "blocks" : "bodies", 0, 6},
                {"kernels", 0, 7},
                {"waits", 0, 5}});
    for (const Version& version : versions) {
        if (!demo.wants(version.id)) continue;
        kit::cpu::reset_counters();
        version.run(work.n);
        const auto waits = kit::cpu::counters().synchronizations;
        CUDA_CHECK(cudaDeviceSynchronize());
        const kit::cpu::Counters c = kit::cpu::counters();
        const auto by_kernels = c.child_kernels + c.device_graph_launches;
        if (version.right != nullptr && !version.right(work.n)) {
            std::fprintf(stderr, "%s, %s: the result is wrong\n", table.c_str(), version.name.c_str());
            std::exit(EXIT_FAILURE);
        }
        demo.row(version.id, label_of(version, versions),
                 {c.graph_launches, by_kernels,
                  third == Third::blocks ? c.blocks : c.if_bodies + c.while_bodies + c.switch_bodies,
                  c.kernels, waits});
    }
}
#else
constexpr bool on_gpu = true;

inline void run(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions, Third = Third::bodies) {
    if (demo.part(table)) demo.ladder(table, title, work, versions);
}
#endif

inline Work by_host_clock(long long n, int repetitions, const char* piece, long long pieces) {
    Work work;
    work.n = n;
    work.repetitions = repetitions;
    work.host_clock = true;
    work.piece = piece;
    work.pieces = pieces;
    return work;
}

inline void launch(const Exec& exec) {
    CUDA_CHECK(cudaGraphLaunch(exec.get(), nullptr));
}

}  // namespace ways
