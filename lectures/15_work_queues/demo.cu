// Demo of 15_work_queues: runs tasks of very different lengths with one task per thread and with workers that claim tasks. Runs
// the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.15_work_queues
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/15_work_queues/demo.cu
//            solutions/15_work_queues/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/15_work_queues [--help]
//
//   heavy    a heavy tail: v1 one task per thread, v2 by batches, v3 by warps, v4 refilled
//   rule     the same versions with the source's rule: task i has i % 256 steps
//   table    with the table in shared memory: a block per 256 tasks, v5 a grid for the device
//   filled   how busy lanes, warps and blocks are, computed from the lists
//   model    steps until all tasks are done, computed
//   grid     v3 and v4 by blocks per multiprocessor
//   boxes    v6 a thread per box, v7 a warp per box
//   levels   v8 a launch per level, v9 one launch for all levels
//   counted  on the CPU executor: steps, active lanes and claims of warps
//
// Every version performs the same steps with the same table. Only a GPU is timed; the CPU executor counts.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "16_dynamic_parallelism/octree.hpp"
#include "demo.hpp"
#include "kernels.cuh"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#include <kit_cpu/profile.hpp>
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using namespace queue_demo;

int multiprocessors() {
    int count = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

/// Returns 8 blocks per multiprocessor, which fill the device, or fewer for a short list: each thread gets 8 tasks or more.
int fill(int n) {
    return std::max(1, std::min(8 * multiprocessors(), n / (8 * kBlock)));
}

#ifndef KIT_CPU
double us_of(const std::function<void()>& run, int repetitions = 11) {
    kit::TimeOptions options;
    options.repetitions = repetitions;
    return 1000 * kit::time(run, 0, options).median_ms;
}
#endif

/// A list of tasks on the device, with the data that checks its results.
struct List {
    std::vector<Task> tasks;
    std::vector<std::uint32_t> words;
    kit::DeviceBuffer<Task> in;
    kit::DeviceBuffer<std::uint32_t> table, out;
    kit::DeviceBuffer<unsigned long long> number;
    kit::DeviceBuffer<unsigned int> next;
    kit::DeviceBuffer<Queue> queue;
    int n;

    explicit List(std::vector<Task> list)
        : tasks(std::move(list)),
          words(kTable),
          in(tasks),
          out(tasks.size()),
          number(1),
          next(1),
          queue(1),
          n(static_cast<int>(tasks.size())) {
        for (std::size_t k = 0; k < words.size(); ++k) words[k] = hash(static_cast<std::uint32_t>(k) + 999u);
        table = kit::DeviceBuffer<std::uint32_t>(words);
        out.clear();
        queue.clear();
    }

    void by_threads() { one_task_per_thread(in.data(), n, table.data(), out.data()); }
    void by_batches(int batch) {
        batched_counter(in.data(), 0, n, table.data(), out.data(), number.data(), batch, fill(n));
    }
    void by_warps(int blocks = 0) {
        warp_queue(in.data(), n, table.data(), out.data(), next.data(), blocks > 0 ? blocks : fill(n));
    }
    void refilled(int blocks = 0) {
        warp_refill(in.data(), n, table.data(), out.data(), next.data(), blocks > 0 ? blocks : fill(n));
    }
    void with_table() {
        static_with_table<<<kit::ceil_div(n, kBlock), kBlock, kTable * sizeof(std::uint32_t)>>>(
            in.data(), n, table.data(), out.data());
        CUDA_CHECK_LAUNCH();
    }
    void by_persistent() { persistent(in.data(), n, table.data(), out.data(), queue.data()); }

    /// Returns whether about 10,000 of the results are correct, and clears all results.
    bool right() {
        const std::vector<std::uint32_t> got = out.to_vector();
        out.clear();
        for (std::size_t i = 0; i < got.size(); i += 1 + got.size() / 10007)
            if (got[i] != work(words.data(), tasks[i])) return false;
        return true;
    }
};

void by_rule(Demo& demo, const char* part, const std::string& title, std::vector<Task> tasks) {
    if (!demo.part(part)) return;
    List list(std::move(tasks));
    const auto right = [&](long long) { return list.right(); };
    const auto batch = [&](const char* id, int size, const char* change) {
        return Version{id, "batches of " + std::to_string(size), change,
                       [&list, size](long long) { list.by_batches(size); }, right};
    };
    Work all;
    all.n = list.n;
    all.repetitions = 11;
    demo.ladder(part, title, all,
                {{"v1", "one task per thread", "", [&](long long) { list.by_threads(); }, right},
                 batch("v2_1", 1, "A thread claims the next task when it is done."),
                 batch("v2_8", 8, "It claims 8 neighbours at once."),
                 batch("v2_16", 16, "16."),
                 batch("v2_32", 32, "32."),
                 {"v3", "32 per warp", "One lane claims 32 tasks, each lane does one.",
                  [&](long long) { list.by_warps(); }, right},
                 {"v4", "refilled", "A free lane gets a task while others go on.",
                  [&](long long) { list.refilled(); }, right}});
}

void with_tables(Demo& demo) {
    if (!demo.part("table")) return;
    List list(heavy_tail(static_cast<int>(demo.n())));
    const auto right = [&](long long) { return list.right(); };
    Work all;
    all.n = list.n;
    all.repetitions = 11;
    demo.ladder("table", "the heavy tail again, with the table in shared memory", all,
                {{"per_256", "a block per 256 tasks", "", [&](long long) { list.with_table(); }, right},
                 {"v5", "a grid for the device", "Blocks stay, and copy the table once.",
                  [&](long long) { list.by_persistent(); }, right}});
}

/// Computes, and does not measure, how busy the lists keep the device: for 2^20 tasks, or for --n tasks if these are fewer.
void computed(Demo& demo) {
    const long long most = 1 << 20;
    const int n = static_cast<int>(demo.given_n() ? std::min(demo.n(), most) : most), places = 64 * 132;
    const std::string tasks = n == most ? "2^20" : std::to_string(n);
    struct Named {
        const char* id;
        const char* name;
        std::vector<Task> tasks;
    };
    const Named lists[] = {{"rule", "i % 256 steps", source_rule(n)},
                           {"heavy", "a heavy tail", heavy_tail(n)},
                           {"sorted", "a heavy tail, longest first", longest_first(heavy_tail(n))}};
    if (demo.part("filled")) {
        demo.table("filled", "computed: thread i does task i; how full are lanes, warps, blocks, in percent",
                   {"list", 28}, {{"lanes", 1}, {"warps", 1}, {"blocks", 1}});
        for (const Named& list : lists) {
            const Filled filled = filled_by_static(list.tasks);
            demo.row(list.id, list.name, {filled.lanes, filled.warps, filled.blocks});
        }
    }
    if (demo.part("model")) {
        demo.table("model",
                   "computed: steps until " + tasks +
                       " tasks are done by 8448 warps beside each other, all equally fast",
                   {"list", 28}, {{"ideal", 0}, {"by_blocks", 0}, {"by_warps", 0}, {"refilled", 0}});
        for (const Named& list : lists)
            demo.row(
                list.id, list.name,
                {std::ceil(ideal_steps(list.tasks, places)), steps_of(list.tasks, places, Schedule::blocks),
                 steps_of(list.tasks, places, Schedule::batches_of_32),
                 steps_of(list.tasks, places, Schedule::refill)});
    }
}

#ifndef KIT_CPU
void by_grid(Demo& demo) {
    if (!demo.part("grid")) return;
    List list(heavy_tail(static_cast<int>(demo.n())));
    demo.table("grid", "the heavy tail, by blocks per multiprocessor: microseconds", {"blocks each", 11},
               {{"blocks", 0}, {"v3_us", 1}, {"v4_us", 1}});
    for (const int each : {1, 2, 4, 6, 8, 12, 16, 32}) {
        const int blocks = each * multiprocessors();
        const double v3 = us_of([&] { list.by_warps(blocks); });
        const double v4 = us_of([&] { list.refilled(blocks); });
        demo.row("b" + std::to_string(each), std::to_string(each), {blocks, v3, v4});
    }
}
#endif

/// Compares v6 and v7 on points that are denser in some places, and on boxes around some of them: most small, a few large.
void boxes(Demo& demo) {
    if (!demo.part("boxes")) return;
#ifdef KIT_CPU
    const int points = 4000, count = 512;
#else
    const int points = 1 << 20, count = 1 << 15;
#endif
    const auto unit = [](int i, int salt) {
        return static_cast<float>(
                   hash(static_cast<std::uint32_t>(i) * 8u + static_cast<std::uint32_t>(salt)) >> 8) /
               16777216.0f;
    };
    std::vector<float3> all;
    for (int i = 0; i < points; ++i) {
        const float pull = i % 2 == 0 ? 1.0f : unit(i, 3) * unit(i, 4);
        all.push_back({unit(i, 0) * pull, unit(i, 1) * pull, unit(i, 2) * pull});
    }
    const nested_test::HostOctree tree = nested_test::build_octree(all, 32);
    std::vector<nested::Box> asked;
    for (int k = 0; k < count; ++k) {
        const float3 c = all[hash(static_cast<std::uint32_t>(k)) % all.size()];
        const float half = std::min(0.001f / (unit(k, 5) + 0.002f), 0.25f);
        asked.push_back({{c.x - half, c.y - half, c.z - half}, {c.x + half, c.y + half, c.z + half}});
    }
    kit::DeviceBuffer<nested::Node> nodes(tree.nodes);
    kit::DeviceBuffer<float3> placed(tree.points);
    kit::DeviceBuffer<nested::Box> in(asked);
    kit::DeviceBuffer<int> counts(asked.size());
    kit::DeviceBuffer<unsigned int> next(1);
    counts.clear();
    const nested::Octree on_device = {nodes.data(), placed.data(), static_cast<int>(tree.nodes.size()),
                                      points};
    const auto right = [&](long long) {
        const std::vector<int> got = counts.to_vector();
        counts.clear();
        for (std::size_t k = 0; k < got.size(); k += 1 + got.size() / 50)
            if (got[k] !=
                static_cast<int>(std::count_if(tree.points.begin(), tree.points.end(),
                                               [&](float3 p) { return nested_test::lies_in(asked[k], p); })))
                return false;
        return true;
    };
    Work all_boxes;
    all_boxes.n = count;
    all_boxes.repetitions = 11;
    const int blocks = std::max(1, std::min(8 * multiprocessors(), count / kBlock));
    demo.ladder("boxes",
                std::to_string(count) + " boxes, most small and a few large, in an octree of " +
                    std::to_string(points) + " points",
                all_boxes,
                {{"v6", "a thread per box", "",
                  [&](long long) { count_by_threads(on_device, in.data(), count, counts.data()); }, right},
                 {"v7", "a warp per box", "A warp claims a box, and walks with a stack in shared memory.",
                  [&](long long) {
                      stack_traversal(on_device, in.data(), count, counts.data(), next.data(), blocks);
                  },
                  right}});
}

/// A graph on the host: vertices of a square with edges to the right and down, or random edges.
struct HostGraph {
    std::vector<int> rows, neighbours;
};

HostGraph on_a_square(int side) {
    HostGraph graph;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
            if (x + 1 < side) graph.neighbours.push_back(y * side + x + 1);
            if (y + 1 < side) graph.neighbours.push_back((y + 1) * side + x);
        }
    }
    graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
    return graph;
}

HostGraph at_random(int n) {
    HostGraph graph;
    for (int v = 0; v < n; ++v) {
        graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
        const int degree = v % 1024 == 0 ? 1000 : 4;
        for (int k = 0; k < degree; ++k)
            graph.neighbours.push_back(
                static_cast<int>(hash(static_cast<std::uint32_t>(v) * 1024u + static_cast<std::uint32_t>(k)) %
                                 static_cast<std::uint32_t>(n)));
    }
    graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
    return graph;
}

void levels(Demo& demo) {
    if (!demo.part("levels")) return;
#ifdef KIT_CPU
    const int side = 24, random = 4096;
#else
    const int side = 1024, random = 1 << 20;
#endif
    struct Named {
        const char* id;
        std::string name;
        HostGraph graph;
    };
    const Named graphs[] = {{"square", "a square, side " + std::to_string(side), on_a_square(side)},
                            {"random", "at random, " + std::to_string(random), at_random(random)}};
#ifdef KIT_CPU
    demo.table("levels", "counted: levels of a graph, by the host and by one launch", {"graph", 22},
               {{"levels"}, {"host_launches"}, {"host_waits"}, {"launches"}, {"waits"}});
#else
    demo.table(
        "levels", "levels of a graph, by the host and by one launch: microseconds", {"graph", 22},
        {{"levels"}, {"host_us", 1}, {"one_launch_us", 1}, {"host_us_per_level", 2}, {"us_per_level", 2}});
#endif
    for (const Named& named : graphs) {
        const int n = static_cast<int>(named.graph.rows.size()) - 1;
        kit::DeviceBuffer<int> rows(named.graph.rows), neighbours(named.graph.neighbours);
        kit::DeviceBuffer<int> now(static_cast<std::size_t>(n)), next(static_cast<std::size_t>(n)),
            found(static_cast<std::size_t>(n));
        kit::DeviceBuffer<unsigned int> sizes(3);
        const Graph graph = {n, rows.data(), neighbours.data()};
        const Frontier frontier = {now.data(), next.data(), sizes.data()};
        const auto host = [&] { phases_by_host(graph, 0, found.data(), frontier); };
        const auto stay = [&] { phases(graph, 0, found.data(), frontier); };
        host();
        const std::vector<int> want = found.to_vector();
        found.clear();
        stay();
        if (found.to_vector() != want) demo.say("%s: the levels differ", named.id);
        const int count = 1 + *std::max_element(want.begin(), want.end());
#ifdef KIT_CPU
        const auto counted = [](const std::function<void()>& run) {
            CUDA_CHECK(cudaDeviceSynchronize());
            kit::cpu::reset_counters();
            run();
            const unsigned long long waits = kit::cpu::counters().synchronizations;
            CUDA_CHECK(cudaDeviceSynchronize());
            return std::pair(static_cast<unsigned long long>(kit::cpu::counters().kernels), waits);
        };
        const auto by_host = counted(host), by_one = counted(stay);
        demo.row(named.id, named.name, {count, by_host.first, by_host.second, by_one.first, by_one.second});
#else
        const double host_us = us_of(host), us = us_of(stay);
        demo.row(named.id, named.name, {count, host_us, us, host_us / count, us / count});
#endif
    }
}

#ifdef KIT_CPU
/// Prints what the executor counts for the warps: in the loads of `step`, which is in the contract's header.
void counted(Demo& demo) {
    if (!demo.part("counted")) return;
    const int n = demo.given_n() ? static_cast<int>(demo.n()) : 1 << 14;
    demo.table("counted", "counted: " + std::to_string(n) + " tasks; in v3 and v4 by 256 threads",
               {"list and version", 34},
               {{"steps_of_warps"}, {"lanes_per_step", 1}, {"claims"}, {"divergent"}});
    const auto row = [&](const std::string& id, const std::string& name, const std::function<void()>& run) {
        CUDA_CHECK(cudaDeviceSynchronize());  // do not count earlier work
        kit::cpu::take_profile();
        kit::cpu::reset_counters();
        kit::cpu::begin_profile();
        run();
        CUDA_CHECK(cudaDeviceSynchronize());
        kit::cpu::end_profile();
        kit::cpu::RequestCounts loads;
        std::uint64_t divergent = 0;
        for (const kit::cpu::KernelProfile& kernel : kit::cpu::take_profile()) {
            divergent += kernel.divergent();
            for (const kit::cpu::LineCounts& line : kernel.lines)
                if (std::string(line.place.file).find("15_work_queues.hpp") != std::string::npos)
                    loads.add(line.of(kit::cpu::RequestKind::load));
        }
        demo.row(id, name,
                 {static_cast<double>(loads.requests), loads.lanes_per_request(),
                  static_cast<double>(kit::cpu::counters().atomics), static_cast<double>(divergent)});
    };
    struct Named {
        const char* id;
        const char* name;
        std::vector<Task> tasks;
    };
    for (const Named& named :
         {Named{"rule", "i % 256", source_rule(n)}, Named{"heavy", "heavy tail", heavy_tail(n)}}) {
        List list(named.tasks);
        const std::string id = named.id, name = named.name;
        row(id + "_v1", name + ", v1 one per thread", [&] { list.by_threads(); });
        row(id + "_v3", name + ", v3 32 per warp", [&] { list.by_warps(1); });
        row(id + "_v4", name + ", v4 refilled", [&] { list.refilled(1); });
    }
}
#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"15_work_queues",
               "tasks of very different lengths, and who does them",
               1 << 22,
               1 << 14,
               1 << 26,
               {},
               {"heavy", "rule", "table", "filled", "model", "boxes", "levels",
#ifdef KIT_CPU
                "counted"
#else
                "grid"
#endif
               }},
              argc, argv);
    const int n = static_cast<int>(demo.n());
    by_rule(demo, "heavy", std::to_string(n) + " tasks, most short and a few of 2000 steps", heavy_tail(n));
    by_rule(demo, "rule", std::to_string(n) + " tasks, task i has i % 256 steps", source_rule(n));
    with_tables(demo);
    computed(demo);
    boxes(demo);
    levels(demo);
#ifdef KIT_CPU
    counted(demo);
#else
    by_grid(demo);
#endif
    return demo.finish();
}
