// Demo of 14_graphs: the cost of a launch, in a stream and in a graph. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.14_graphs
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/14_graphs/demo.cu
//            solutions/14_graphs/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/14_graphs [--help]
//
//   v1 iterate     v2 replay       v3 chain          v4 fork_join
//   v5 build_dag   v6 serve        v7 retarget       v8 record_filter
//
//   ladder, sizes             v1 and v2: 100 iterations of three kernels
//   once, again, making       kernels that do nothing: launching graphs of them, and creating such graphs
//   branches, full            v3 and v4; three kernels that fill the device, in a chain and in parallel
//   nodes                     v5 compared with six calls
//   batches_one, batches_two  v6 and v7 compared with launches and with new instances
//   memory, reserved          v8 compared with memory from outside; how much a graph reserves
//
// On a GPU: times by the host's clock, until the work is done and until the calls have returned. On the CPU executor: kernels,
// and calls of the runtime.

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/library.hpp"
#include "batches.hpp"
#include "compare.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "memory.hpp"
#include "shapes.hpp"
#ifndef KIT_CPU
#include "reserved.cuh"
#endif

namespace {

using compare::by_host_clock;
using compare::Instance;
using compare::Stream;
using kit::demo::Demo;
using kit::demo::Version;

#ifdef KIT_CPU
constexpr bool on_gpu = false;
#else
constexpr bool on_gpu = true;
#endif

/// Numbers that look random and are the same everywhere.
__host__ __device__ unsigned int scrambled(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

cudaGraph_t captured(const Stream& stream, const std::function<void()>& launch) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch();
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

// ---- v1, v2: three kernels, many iterations ----

constexpr int iterations = 100;

__global__ void fill(unsigned int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = scrambled(i);
}

/// A whole iteration in one kernel, from `a` to `next`: the reference for the other versions.
__global__ void iterate_at_once(const unsigned int* a, unsigned int* next, int n, const unsigned int* table,
                                unsigned int round) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned int value = (a[i] + a[(i + 1) % n]) * table[i % 256] + round;
    next[i] = value ^ (value >> 7);
}

struct Simulation {
    Stream stream;
    kit::DeviceBuffer<unsigned int> a, b, c, round, expected, next;
    graphs::State state;
    graphs::Recording one;
    Instance ten;
    unsigned int asked = 0;  ///< iterations since the last start

    explicit Simulation(int n)
        : a(n),
          b(n),
          c(n),
          round(1),
          expected(n),
          next(n),
          state{a.data(), b.data(), c.data(), round.data(), n} {
        start();
        one = graphs::record(state, stream);
        ten = Instance(captured(stream, [&] {
            for (int i = 0; i < 10; ++i) graphs::iterate(state, stream);
        }));
    }
    ~Simulation() { graphs::discard(one); }

    void start() {
        fill<<<kit::ceil_div(state.n, graphs::kBlock), graphs::kBlock>>>(a.data(), state.n);
        CUDA_CHECK_LAUNCH();
        round.clear();
        asked = 0;
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    /// Repeats all iterations since the last start, computed in a different way.
    bool is_right() {
        const int blocks = kit::ceil_div(state.n, graphs::kBlock);
        fill<<<blocks, graphs::kBlock>>>(expected.data(), state.n);
        for (unsigned int i = 0; i < asked; ++i) {
            iterate_at_once<<<blocks, graphs::kBlock>>>(expected.data(), next.data(), state.n,
                                                        graphs::coefficients(), i);
            std::swap(expected, next);
        }
        CUDA_CHECK_LAUNCH();
        const bool right = round.to_vector()[0] == asked && a.to_vector() == expected.to_vector();
        start();
        return right;
    }
};

void three_kernels(Demo& demo) {
    if (!demo.part("ladder") && !demo.part("sizes")) return;
    std::map<long long, Simulation> simulations;
    const auto of = [&](long long n) -> Simulation& {
        return simulations.try_emplace(n, static_cast<int>(n)).first->second;
    };
    const auto version = [&](const char* id, const char* name, const char* change, auto run) {
        return Version{id, name, change,
                       [&of, run](long long n) {
                           Simulation& s = of(n);
                           s.asked += iterations;
                           run(s);
                       },
                       [&of](long long n) { return of(n).is_right(); }};
    };
    const std::vector<Version> versions = {
        version("v1wait", "a wait per iteration",
                "Three launches per iteration, and the host waits for each.",
                [](Simulation& s) {
                    for (int i = 0; i < iterations; ++i) {
                        graphs::iterate(s.state, s.stream);
                        CUDA_CHECK(cudaStreamSynchronize(s.stream));
                    }
                }),
        version("v1", "stream, one wait", "Launches are queued; the host waits once, at the end.",
                [](Simulation& s) {
                    for (int i = 0; i < iterations; ++i) graphs::iterate(s.state, s.stream);
                }),
        version("v2", "graph of an iteration", "Recorded once: one launch per iteration.",
                [](Simulation& s) { graphs::replay(s.one, iterations, s.stream); }),
        version("v2x10", "graph of ten iterations", "One launch for thirty kernels.",
                [](Simulation& s) {
                    for (int i = 0; i < iterations / 10; ++i) s.ten.launch(s.stream);
                }),
    };
    of(demo.n());  // its captures are not counted
    compare::versions(demo, "ladder",
                      "100 iterations of three kernels, " + std::to_string(demo.n()) + " elements",
                      by_host_clock(demo.n(), "iteration", iterations), versions);
    if (!on_gpu) return;
    std::vector<long long> sizes;
    for (int power = 10; power <= 24; power += 2) sizes.push_back(1ll << power);
    demo.sweep(
        "sizes", "100 iterations of three kernels, n elements", sizes,
        [](long long n) { return by_host_clock(n); }, versions);
}

// ---- the cost of a launch, and of creating a graph ----

constexpr int rounds = 20, makings = 10;

/// Does nothing, except count itself if `count` is given.
__global__ void tick(unsigned int* count) {
    if (count != nullptr && threadIdx.x == 0) ++*count;
}

cudaKernelNodeParams tick_params(void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(tick);
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    return params;
}

cudaGraph_t by_hand(long long nodes, unsigned int* count) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t last = nullptr, node = nullptr;
    void* arguments[] = {&count};
    const cudaKernelNodeParams params = tick_params(arguments);
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    for (long long i = 0; i < nodes; ++i) {
        CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, &last, i > 0 ? 1 : 0, &params));
        last = node;
    }
    return graph;
}

struct Nodes {
    Instance launched, updated, changed;
    cudaGraphNode_t first;  ///< first node of the graph of `changed`
    cudaGraph_t counting;   ///< like the graphs of all three, but its kernels count
};

struct Ticks {
    Stream stream;
    kit::DeviceBuffer<unsigned int> count{1};
    std::map<long long, Nodes> sizes;

    explicit Ticks(const std::vector<long long>& all) {
        for (const long long n : all) {
            Nodes& nodes = sizes[n];
            for (Instance* instance : {&nodes.launched, &nodes.updated, &nodes.changed})
                *instance = Instance(capture(n, nullptr));
            std::size_t one = 1;
            CUDA_CHECK(cudaGraphGetRootNodes(nodes.changed.graph, &nodes.first, &one));
            nodes.counting = capture(n, count.data());
        }
    }
    ~Ticks() {
        for (auto& [n, nodes] : sizes) cudaGraphDestroy(nodes.counting);
    }
    void launch(long long n, unsigned int* where) const {
        for (long long i = 0; i < n; ++i) tick<<<1, 32, 0, stream>>>(where);
    }
    cudaGraph_t capture(long long n, unsigned int* where) const {
        return captured(stream, [&] { launch(n, where); });
    }
    /// Returns how many kernels count themselves when `work` runs.
    template <class Work>
    unsigned int counted(Work work) {
        count.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
        work();
        CUDA_CHECK(cudaStreamSynchronize(stream));
        return count.to_vector()[0];
    }
    void update(const Nodes& nodes, cudaGraph_t graph) const {
        cudaGraphExecUpdateResultInfo info;
        CUDA_CHECK(cudaGraphExecUpdate(nodes.updated.exec, graph, &info));
    }
    void set_first(const Nodes& nodes, unsigned int* where) const {
        void* arguments[] = {&where};
        const cudaKernelNodeParams params = tick_params(arguments);
        CUDA_CHECK(cudaGraphExecKernelNodeSetParams(nodes.changed.exec, nodes.first, &params));
    }
};

void launching_and_making(Demo& demo) {
    if (!demo.part("once") && !demo.part("again") && !demo.part("making")) return;
    const std::vector<long long> sizes =
        on_gpu ? std::vector<long long>{1, 4, 16, 64, 256, 1024} : std::vector<long long>{64};
    Ticks t(sizes);
    const auto all_count = [&](long long n, const std::function<void()>& work) {
        return t.counted(work) == n;
    };
    const auto graph_counts = [&](long long n, cudaGraph_t graph) {
        const Instance instance(graph);
        return all_count(n, [&] { instance.launch(t.stream); });
    };
    const auto launches = [&](int times) {
        return std::vector<Version>{
            {"stream", "launches in a stream", "Launched one by one.",
             [&t, times](long long n) {
                 for (int i = 0; i < times; ++i) t.launch(n, nullptr);
             },
             [&](long long n) { return all_count(n, [&] { t.launch(n, t.count.data()); }); }},
            {"graph", "launches of a graph", "Launched as a graph of so many nodes.",
             [&t, times](long long n) {
                 for (int i = 0; i < times; ++i) t.sizes[n].launched.launch(t.stream);
             },
             [&](long long n) {
                 std::size_t nodes = 0;
                 CUDA_CHECK(cudaGraphGetNodes(t.sizes[n].launched.graph, nullptr, &nodes));
                 return static_cast<long long>(nodes) == n;
             }}};
    };
    compare::over_sizes(demo, "once", "n kernels that do nothing", sizes, launches(1));
    compare::over_sizes(demo, "again", "n kernels that do nothing, 20 times", sizes, launches(rounds));

    const auto ten_times = [](auto work) {
        return [work](long long n) {
            for (int i = 0; i < makings; ++i) work(n, i);
        };
    };
    compare::over_sizes(
        demo, "making", "ten graphs of n kernels", sizes,
        {{"capture", "capture and destroy", "The graph alone, by a capture.",
          ten_times([&](long long n, int) { CUDA_CHECK(cudaGraphDestroy(t.capture(n, nullptr))); }),
          [&](long long n) { return graph_counts(n, t.capture(n, t.count.data())); }},
         {"hand", "by hand, and destroy", "The graph alone, node by node.",
          ten_times([&](long long n, int) { CUDA_CHECK(cudaGraphDestroy(by_hand(n, nullptr))); }),
          [&](long long n) { return graph_counts(n, by_hand(n, t.count.data())); }},
         {"inst", "instantiate and destroy", "An instance of a graph that is there.",
          ten_times([&](long long n, int) {
              cudaGraphExec_t other = nullptr;
              CUDA_CHECK(cudaGraphInstantiate(&other, t.sizes[n].launched.graph, 0));
              CUDA_CHECK(cudaGraphExecDestroy(other));
          })},
         {"update", "update all nodes", "The parameters of another graph, for an instance that is there.",
          ten_times([&](long long n, int i) {
              t.update(t.sizes[n], i % 2 == 0 ? t.sizes[n].updated.graph : t.sizes[n].counting);
          }),
          [&](long long n) { return all_count(n, [&] { t.sizes[n].updated.launch(t.stream); }); }},
         {"one", "set one node", "Other parameters for one node.", ten_times([&](long long n, int i) {
              t.set_first(t.sizes[n], i % 2 == 0 ? nullptr : t.count.data());
          }),
          [&](long long n) { return all_count(1, [&] { t.sizes[n].changed.launch(t.stream); }); }}});
}

// ---- the demo's own kernels for the other parts ----

__global__ void copy_all(const int* from, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void add_neighbours(const int* in, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sums[i] = in[i] + in[(i + 1) % n];
}

__global__ void multiply_neighbours(const int* sums, int* result, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = sums[i] * sums[(i + 1) % n];
}

/// What the graph of memory_nodes.cu launches.
void filter(const int* in, int* sums, int* result, int n, cudaStream_t stream) {
    const int blocks = kit::ceil_div(n, graphs::kBlock);
    add_neighbours<<<blocks, graphs::kBlock, 0, stream>>>(in, sums, n);
    multiply_neighbours<<<blocks, graphs::kBlock, 0, stream>>>(sums, result, n);
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"14_graphs",
               "what a launch costs, in a stream and in a graph",
               1 << 10,
               1 << 10,
               1 << 24,
               {},
               {"ladder", "sizes", "once", "again", "making", "branches", "full", "nodes", "batches_one",
                "batches_two", "memory", "reserved"}},
              argc, argv);
    three_kernels(demo);
    launching_and_making(demo);
    if (on_gpu) {
        shapes::branches(demo, {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20});
    } else {
        shapes::branches(demo, {1 << 10});
    }
    shapes::full(demo, on_gpu ? 1 << 24 : 1 << 10, reinterpret_cast<void*>(copy_all));
    shapes::nodes(demo, 1 << 12);
    for (const bool two : {false, true}) batches::show(demo, on_gpu ? 1 << 16 : 1 << 10, two);
    memory::show(demo, on_gpu ? 1 << 20 : 1 << 10, filter);
    bool right = true;
#ifndef KIT_CPU
    right = reserved::show(demo);
#else
    demo.say("Counted, not timed: the executor's times would say nothing about a GPU.");
#endif
    const int status = demo.finish();
    return right ? status : EXIT_FAILURE;
}
