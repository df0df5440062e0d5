// Compares versions for the demo of this topic: times on a GPU, as in all demos; numbers of launches and waits on the
// executor.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "demo.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace contest {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

#ifdef KIT_CPU
constexpr bool on_gpu = false;

/// Prints the counts of common/demo, with launches by the host and by kernels in separate columns.
inline void run(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions) {
    if (!demo.part(table)) return;
    const bool has_pieces = work.pieces == 0 && !work.piece.empty();  // known only after a run
    std::vector<kit::demo::Column> columns = {
        {"by_host", 0, 5}, {"by_kernels", 0, 5}, {"waits", 0, 5}, {"blocks", 0, 6}, {"atomics", 0, 7}};
    if (has_pieces) columns.push_back({work.piece + "s", 0, 5});
    demo.table(table, title + ", counted", {"version", kit::demo::widest_label(versions)}, columns);
    for (const Version& version : versions) {
        if (!demo.wants(version.id)) continue;
        kit::demo::counts_of([&] { version.run(work.n); });
        const kit::cpu::Counters c = kit::cpu::counters();
        // counts_of adds the last wait.
        std::vector<kit::demo::Value> values = {c.kernels - c.child_kernels, c.child_kernels,
                                                c.synchronizations - 1, c.blocks, c.atomics};
        if (has_pieces) values.push_back(version.pieces());
        if (version.right != nullptr && !version.right(work.n)) {
            std::fprintf(stderr, "%s, %s: the result is wrong\n", table.c_str(), version.name.c_str());
            std::exit(EXIT_FAILURE);
        }
        demo.row(version.id, label_of(version, versions), values);
    }
}
#else
constexpr bool on_gpu = true;

inline void run(Demo& demo, const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions) {
    demo.ladder(table, title, work, versions);
}
#endif

/// Measures with the host's clock, from the first call until a wait returns.
inline Work by_host_clock(long long n, int repetitions, const char* piece = "", long long pieces = 0) {
    Work work;
    work.n = n;
    work.repetitions = repetitions;
    work.host_clock = true;
    work.piece = piece;
    work.pieces = pieces;
    return work;
}

}  // namespace contest
