// Demo of 17_device_graphs: measures a round if the host, a kernel, or a graph starts the next one. Compares the
// solutions with programs that do the same without them.
//
// Build: cmake --build --preset demo -t demo.17_device_graphs
//        or: nvcc -std=c++17 -O3 -rdc=true -arch=native -Icommon -Itests
//            lectures/17_device_graphs/demo.cu solutions/17_device_graphs/*.cu common/roofs.cu
//            common/demo/*.cu -o demo
// Run:   build/course/demo/17_device_graphs [--help]
//
//   rounds   rounds that only count: host, tail launches, WHILE node, graph that launches itself
//   loop     the same four ways with real rounds: labels of a path, until none changes
//   choice   one of two kernels: the host reads a number, or an IF node decides
//   pieces   pieces of three kinds: the host reads each kind, or a SWITCH node in a WHILE node
//   tasks    tasks one after another: the host launches each, or a scheduler does
//   update   few of many values are chosen: a worst-case grid, a host that reads the count, a kernel that changes the node
//   sizes    graphs of 1, 10, 100 kernels, launched by the host and by a kernel
//
// On a GPU: times by the host's clock, until the work has finished. On the CPU executor: numbers of launches and waits.

#include <algorithm>
#include <string>
#include <vector>

#include "17_device_graphs/17_device_graphs.hpp"
#include "candidates.hpp"
#include "counting.hpp"
#include "demo.hpp"
#include "grader/inputs.hpp"
#include "kit.cuh"
#include "loops.hpp"

namespace {

using kit::DeviceBuffer;
using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using loops::Exec;
using namespace ways;

// ---- rounds ---------------------------------------------------------------------------------------------

void show_rounds(Demo& demo) {
    if (!demo.part("rounds")) return;
    const int most = on_gpu ? 1000 : 50;
    DeviceBuffer<int> count(1);
    int* const c = count.data();
    const auto right = [&, most](long long) { return count.to_vector()[0] == most; };
    const auto begin = [c] { CUDA_CHECK(cudaMemsetAsync(c, 0, sizeof *c)); };
    const Exec repeated = loops::counting_while(c, most), itself = loops::counting_graph(c, most);
    run(demo, "rounds", std::to_string(most) + " rounds that only count",
        by_host_clock(most, 21, "round", most),
        {{"v1", "the host asks", "A kernel, and four bytes to the host, which decides.",
          [=](long long) {
              begin();
              for (int got = 0; got < most;) {
                  loops::count_round<<<1, 1>>>(c);
                  CUDA_CHECK(cudaMemcpy(&got, c, sizeof got, cudaMemcpyDeviceToHost));
              }
          },
          right},
         {"v2", "tail launches", "A kernel launches itself into its tail (lecture 16).",
          [=](long long) {
              begin();
              loops::count_and_tail<<<1, 1>>>(c, most);
              CUDA_CHECK_LAUNCH();
          },
          right},
         {"v3", "a WHILE node", "The graph repeats its body.",
          [=](long long) {
              begin();
              launch(repeated);
          },
          right},
         {"v4", "a graph launches itself", "Its last kernel launches the graph into its tail.",
          [=](long long) {
              begin();
              launch(itself);
          },
          right}});
}

// ---- loop -----------------------------------------------------------------------------------------------

void show_loop(Demo& demo) {
    if (!demo.part("loop")) return;
    const int n = on_gpu ? 4096 : 100;
    kit::Random random(17);
    const auto order = kit::permutation<int>(random, static_cast<std::size_t>(n));
    std::vector<device_graphs::Edge> edges;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) edges.push_back({order[i], order[i + 1]});
    const DeviceBuffer<device_graphs::Edge> in(edges);
    DeviceBuffer<int> labels(static_cast<std::size_t>(n));
    DeviceBuffer<device_graphs::LoopState> state(1);
    const device_graphs::Labels work = {in.data(), n - 1, labels.data(), n, n + 1, state.data()};
    const auto right = [&](long long) {
        const bool all_zero = labels.to_vector() == std::vector<int>(static_cast<std::size_t>(n), 0);
        CUDA_CHECK(cudaMemset(labels.data(), 0xff, labels.bytes()));
        return all_zero;
    };
    const Exec repeated = loops::instance(device_graphs::build_while(work)),
               itself = loops::relaunching(work);
    std::vector<Version> ways = {
        {"v1", "the host asks", "After each round the host reads whether it changed something.",
         [&](long long) { loops::by_host(work); }, right},
        {"v2", "tail launches", "A kernel of one thread launches a round, and itself into its tail.",
         [&](long long) { loops::by_tail(work); }, right},
        {"v3", "a WHILE node", "A round and a decision are the body.", [&](long long) { launch(repeated); },
         right},
        {"v4", "a graph launches itself", "A round, and a kernel that launches the graph again.",
         [&](long long) {
             device_graphs::set_up<<<loops::blocks_for(work.n), device_graphs::kBlock>>>(work.labels, work.n,
                                                                                         work.state);
             launch(itself);
         },
         right}};
#ifndef KIT_CPU
    for (Version& way : ways)
        way.pieces = [&] { return static_cast<long long>(state.to_vector()[0].rounds); };
#endif
    run(demo, "loop", "a path of " + std::to_string(n) + " vertices, until no label changes",
        by_host_clock(n, 11, "round", 0), ways);
}

// ---- choice ---------------------------------------------------------------------------------------------

__global__ void largest_of(const int* values, int n, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(largest, values[i]);
}
__global__ void halve(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] /= 2;
}

void show_choice(Demo& demo) {
    if (!demo.part("choice")) return;
    const int n = 1000, times = on_gpu ? 100 : 10, limit = 100, blocks = 4;
    DeviceBuffer<int> values(static_cast<std::size_t>(n)), largest(1), halved(1), kept(1);
    const std::vector<int> zeros(static_cast<std::size_t>(n), 0);
    CUDA_CHECK(cudaMemset(values.data(), 0, values.bytes()));
    halved.clear();
    kept.clear();
    const Exec graph = loops::instance(
        device_graphs::build_if({values.data(), n, limit, largest.data(), halved.data(), kept.data()}));
    const auto right = [&](long long) { return values.to_vector() == zeros; };
    run(demo, "choice", std::to_string(times) + " decisions over " + std::to_string(n) + " values",
        by_host_clock(times, 21, "decision", times),
        {{"v1", "the host reads a number", "A kernel, four bytes to the host, and perhaps a second kernel.",
          [&](long long) {
              for (int i = 0; i < times; ++i) {
                  int found = 0;
                  CUDA_CHECK(cudaMemsetAsync(largest.data(), 0x80, sizeof(int)));
                  largest_of<<<blocks, 256>>>(values.data(), n, largest.data());
                  CUDA_CHECK(cudaMemcpy(&found, largest.data(), sizeof found, cudaMemcpyDeviceToHost));
                  if (found > limit) halve<<<blocks, 256>>>(values.data(), n);
              }
          },
          right},
         {"v2", "an IF node", "The graph decides; the host launches and goes on.",
          [&](long long) {
              for (int i = 0; i < times; ++i) launch(graph);
          },
          right}});
}

// ---- pieces ---------------------------------------------------------------------------------------------

__global__ void decode(const device_graphs::Piece* piece, const int* in, int* out, int kind, int* last) {
    const int first = piece->first, end = first + piece->count, base = *last;
    __syncthreads();  // all threads read *last before one of them overwrites it
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
        out[i] = kind == 2 ? in[first + end - 1 - i] : kind == 1 ? base + in[i] : in[i];
        if (i == end - 1) *last = out[i];
    }
}

void show_pieces(Demo& demo) {
    if (!demo.part("pieces")) return;
    const int count = on_gpu ? 1000 : 30, length = 200;
    std::vector<device_graphs::Piece> list;
    std::vector<int> values, want;
    kit::Random random(17);
    for (int p = 0; p < count; ++p) {
        list.push_back({static_cast<int>(random.integer(0, 2)), p * length, length});
        for (int i = 0; i < length; ++i) values.push_back(static_cast<int>(random.integer(1, 1000)));
    }
    for (const auto& piece : list) {
        const int last = want.empty() ? 0 : want.back();
        for (int i = 0; i < length; ++i) {
            const auto at = static_cast<std::size_t>(piece.first + (piece.kind == 2 ? length - 1 - i : i));
            want.push_back(piece.kind == 1 ? last + values[at] : values[at]);
        }
    }
    const DeviceBuffer<device_graphs::Piece> pieces(list);
    const DeviceBuffer<int> in(values), number(std::vector<int>{count});
    DeviceBuffer<int> out(values.size()), next(1), last(1);
    DeviceBuffer<device_graphs::Piece> current(1);
    const Exec graph = loops::instance(device_graphs::build_switch(
        {pieces.data(), number.data(), next.data(), current.data(), last.data(), in.data(), out.data()}));
    const auto right = [&](long long) {
        const bool same = out.to_vector() == want;
        CUDA_CHECK(cudaMemset(out.data(), 0xff, out.bytes()));
        return same;
    };
    run(demo, "pieces", std::to_string(count) + " pieces of " + std::to_string(length) + " values",
        by_host_clock(count, 11, "piece", count),
        {{"v1", "the host reads each kind", "Twelve bytes to the host, then a kernel.",
          [&](long long) {
              CUDA_CHECK(cudaMemsetAsync(last.data(), 0, sizeof(int)));
              for (int p = 0; p < count; ++p) {
                  device_graphs::Piece piece = {};
                  CUDA_CHECK(cudaMemcpy(&piece, pieces.data() + p, sizeof piece, cudaMemcpyDeviceToHost));
                  decode<<<1, 256>>>(pieces.data() + p, in.data(), out.data(), piece.kind, last.data());
              }
          },
          right},
         {"v2", "a SWITCH in a WHILE", "One launch by the host.", [&](long long) { launch(graph); }, right}});
}

// ---- tasks ----------------------------------------------------------------------------------------------

void show_tasks(Demo& demo) {
    if (!demo.part("tasks")) return;
    const int count = on_gpu ? 1000 : 30;
    const std::size_t n = 1000;
    kit::Random random(17);
    std::vector<device_graphs::Task> list;
    std::vector<unsigned> want(n, 3);
    for (int t = 0; t < count; ++t) {
        list.push_back({static_cast<int>(random.integer(0, 1)), 0, static_cast<int>(n)});
        for (unsigned& x : want) x = list.back().kind == 0 ? 3 * x + 1 : x * x;
    }
    const DeviceBuffer<device_graphs::Task> tasks(list);
    const DeviceBuffer<int> number(std::vector<int>{count});
    const DeviceBuffer<unsigned> begin(std::vector<unsigned>(n, 3));
    DeviceBuffer<int> next(1);
    DeviceBuffer<device_graphs::Task> current(1);
    DeviceBuffer<unsigned> data(n);
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreate(&stream));
    const device_graphs::Scheduler made = device_graphs::build_scheduler(
        {tasks.data(), number.data(), next.data(), current.data(), data.data()}, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    const auto right = [&](long long) { return data.to_vector() == want; };
    const auto prepare = [&] {
        CUDA_CHECK(cudaMemsetAsync(next.data(), 0, sizeof(int)));
        CUDA_CHECK(cudaMemcpyAsync(data.data(), begin.data(), data.bytes(), cudaMemcpyDeviceToDevice));
    };
    run(demo, "tasks", std::to_string(count) + " tasks, one after the other",
        by_host_clock(count, 11, "task", count),
        {{"v1", "the host knows them", "It launches a kernel for each, and waits at the end only.",
          [&](long long) {
              prepare();
              for (int t = 0; t < count; ++t)
                  if (list[static_cast<std::size_t>(t)].kind == 0)
                      device_graphs::triple_all<<<4, 256>>>(tasks.data() + t, data.data());
                  else
                      device_graphs::square_all<<<4, 256>>>(tasks.data() + t, data.data());
          },
          right},
         {"v2", "the host reads each", "The list is in device memory: twelve bytes to the host for each.",
          [&](long long) {
              prepare();
              for (int t = 0; t < count; ++t) {
                  device_graphs::Task task = {};
                  CUDA_CHECK(cudaMemcpy(&task, tasks.data() + t, sizeof task, cudaMemcpyDeviceToHost));
                  if (task.kind == 0)
                      device_graphs::triple_all<<<4, 256>>>(tasks.data() + t, data.data());
                  else
                      device_graphs::square_all<<<4, 256>>>(tasks.data() + t, data.data());
              }
          },
          right},
         {"v3", "a scheduler", "A graph launches a worker and itself.",
          [&](long long) {
              prepare();
              CUDA_CHECK(cudaGraphLaunch(made.scheduler, nullptr));
          },
          right}});
    for (cudaGraphExec_t exec : {made.scheduler, made.triple, made.square})
        CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

// ---- update ---------------------------------------------------------------------------------------------

void show_update(Demo& demo) {
    if (!demo.part("update")) return;
    const int n = on_gpu ? 100000 : 10000, times = on_gpu ? 100 : 10, over = n / 100;
    kit::Random random(17);
    std::vector<int> list = kit::permutation<int>(random, static_cast<std::size_t>(n));
    const std::vector<int> want = candidates::steps_of(list, n - 1 - over);
    const DeviceBuffer<int> values(list), limit(std::vector<int>{n - 1 - over});
    DeviceBuffer<int> chosen(list.size()), count(1), steps(list.size());
    const device_graphs::Candidates work = {values.data(), n,           limit.data(), chosen.data(),
                                            count.data(),  steps.data()};
    const Exec for_all = loops::instance(candidates::worst_case(work)),
               fitting = {device_graphs::build_update(work, nullptr), cudaGraphExecDestroy};
    const auto right = [&](long long) {
        const bool same = steps.to_vector() == want;
        CUDA_CHECK(cudaMemset(steps.data(), 0xff, steps.bytes()));
        return same;
    };
    CUDA_CHECK(cudaMemset(steps.data(), 0xff, steps.bytes()));
    const auto repeat = [times](const auto& once) {
        return [=](long long) {
            for (int i = 0; i < times; ++i) once();
        };
    };
    run(demo, "update",
        std::to_string(times) + " times " + std::to_string(over) + " of " + std::to_string(n) + " values",
        by_host_clock(times, 21, "launch", times),
        {{"v1", "for the worst case", "A graph whose last kernel has blocks for all values.",
          repeat([&] { launch(for_all); }), right},
         {"v2", "the host asks", "Four bytes to the host, which launches for these values.",
          repeat([&] { candidates::by_host(work); }), right},
         {"v3", "a kernel changes the node", "One thread tells the node how large it is.",
          repeat([&] { launch(fitting); }), right}},
        Third::blocks);
}

// ---- sizes ----------------------------------------------------------------------------------------------

void show_sizes(Demo& demo) {
    if (!demo.part("sizes")) return;
    DeviceBuffer<int> count(1);
    count.clear();
    std::vector<Version> ways;
    std::vector<Exec> keep;
    for (const int nodes : {1, 10, 100}) {
        const std::string size = std::to_string(nodes) + (nodes == 1 ? " kernel" : " kernels");
        const Exec by_host = loops::instance(loops::row_of(nodes, count.data()));
        const Exec fired = loops::for_device(loops::row_of(nodes, count.data()));
        const Exec launcher = loops::launcher_of(fired);
        keep.push_back(fired);
        const auto right = [&count, nodes](long long) {
            const bool ran = count.to_vector()[0] >= nodes;
            count.clear();
            return ran;
        };
        ways.push_back({"host" + std::to_string(nodes), size + ", host", "The host launches the graph.",
                        [by_host](long long) { launch(by_host); }, right});
        ways.push_back({"kernel" + std::to_string(nodes), size + ", kernel",
                        "The host launches a graph of one kernel, which launches the graph.",
                        [launcher](long long) { launch(launcher); }, right});
    }
    run(demo, "sizes", "graphs of several sizes, launched once", by_host_clock(1, 101, "", 0), ways);
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"17_device_graphs",
               "what a round, a choice and a launch cost when the device decides",
               0,
               0,
               1,
               {},
               {"rounds", "loop", "choice", "pieces", "tasks", "update", "sizes"}},
              argc, argv);
    show_rounds(demo);
    show_loop(demo);
    show_choice(demo);
    show_pieces(demo);
    show_tasks(demo);
    show_update(demo);
    show_sizes(demo);
    return demo.finish();
}
