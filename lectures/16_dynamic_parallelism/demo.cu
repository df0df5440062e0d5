// Demo of 16_dynamic_parallelism: measures what a launch costs, and when kernels that launch kernels are worth it.
// Compares the solutions with programs that do not use dynamic parallelism.
//
// Build: cmake --build --preset demo -t demo.16_dynamic_parallelism
//        or: nvcc -std=c++17 -O3 -rdc=true -arch=native -Icommon -Itests
//            lectures/16_dynamic_parallelism/demo.cu solutions/16_dynamic_parallelism/*.cu common/roofs.cu
//            common/demo/*.cu -o demo
// Run:   build/course/demo/16_dynamic_parallelism [--help]
//
//   launches     1000 empty kernels, launched by the host, by graphs, by kernels; alone: one kernel, and a second one
//   family       a parent that decides, two children, and a kernel that needs their results
//   spmv_KIND    v1 thread per row, v2 warp per row, v3 children, v4 list of dense rows
//                source_few, source_spread: [D]'s matrices and children, and the same kernels from the host
//   refine       v1 the host reads the result of each level, v2 tail launches
//   sort, radix  quicksort by launches and CUB's radix sort: six patterns
//   octree_BOX   v1 host-driven, v2 recursive, v3 persistent, v4 brute force, levels: grid.sync()
//   loop         v1 the host reads the result of each round, v2 tail launches, v3 a WHILE node
//
// There are n values; a matrix has n / 10 rows, and a tree has 10 n points. On a GPU: times. On the CPU executor: numbers of
// launches by the host and by kernels, and of waits.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "break_even.hpp"
#include "contest.hpp"
#include "grader/inputs.hpp"
#include "refinement.hpp"
#include "solutions_compared.hpp"
#include "source_matrices.hpp"

namespace nested {
__global__ void one_round(const Edge* edges, int m, int* labels,
                          LoopState* state);  // defined in the solution of tail_loop
}

namespace {

using contest::by_host_clock;
using contest::on_gpu;
using contest::run;
using kit::DeviceBuffer;
using kit::demo::Demo;
using kit::demo::Version;

// ---- launches -------------------------------------------------------------------------------------------

__global__ void nothing() {}

/// Kernels that launch others set it if one of them was refused. A chain sets `ended` when it has ended.
struct Report {
    int refused, ended;
};

__global__ void fire(int n, Report* report) {
    for (int i = 0; i < n; ++i) nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
    if (cudaGetLastError() != cudaSuccess) report->refused = 1;
}

__global__ void line_up(int n, Report* report) {
    for (int i = 0; i < n; ++i) nothing<<<1, 1>>>();
    if (cudaGetLastError() != cudaSuccess) report->refused = 1;
}

__global__ void tail_chain(int n, Report* report) {
    if (n == 0) {
        report->ended = 1;
        return;
    }
    tail_chain<<<1, 1, 0, cudaStreamTailLaunch>>>(n - 1, report);
    if (cudaGetLastError() != cudaSuccess) report->refused = 1;
}

#ifndef KIT_CPU
/// Launches a graph of `nodes` empty kernels in a row, `times` times.
std::function<void(long long)> graphs_of(int nodes, int times) {
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < nodes; ++i) nothing<<<1, 1, 0, stream>>>();
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
    const std::shared_ptr<CUgraphExec_st> owner(exec, cudaGraphExecDestroy);
    return [owner, times](long long) {
        for (int i = 0; i < times; ++i) CUDA_CHECK(cudaGraphLaunch(owner.get(), nullptr));
    };
}
#endif

void show_launches(Demo& demo) {
    if (!demo.part("launches") && !demo.part("alone")) return;
    DeviceBuffer<Report> report(1);
    report.clear();
    Report* const r = report.data();
    const auto all_ran = [&](long long) {
        const Report said = report.to_vector()[0];
        report.clear();
        return said.refused == 0;
    };
    const auto chain_ended = [&](long long) {
        const Report said = report.to_vector()[0];
        report.clear();
        return said.refused == 0 && said.ended == 1;
    };
    const int n = on_gpu ? 1000 : 200;
    std::vector<Version> ways = {
        {"wait", "host, waits for each", "The host launches a kernel, waits, launches the next.",
         [n](long long) {
             for (int i = 0; i < n; ++i) {
                 nothing<<<1, 1>>>();
                 CUDA_CHECK(cudaDeviceSynchronize());
             }
         }},
        {"host", "host, asynchronous", "The host launches all, then waits.",
         [n](long long) {
             for (int i = 0; i < n; ++i) nothing<<<1, 1>>>();
         }},
#ifndef KIT_CPU
        {"each", "host, a graph of one each", "The same launch, prepared once.", graphs_of(1, n)},
        {"all", "host, one graph of all", "One call for all of them.", graphs_of(n, 1)},
#endif
        {"fire", "a thread, fire and forget", "One thread of a kernel launches them, in no order.",
         [n, r](long long) { fire<<<1, 1>>>(n, r); }, all_ran},
        {"line", "a thread, one stream", "The same into the block's default stream: in order.",
         [n, r](long long) { line_up<<<1, 1>>>(n, r); }, all_ran},
        {"many", "many threads, one each", "Each of so many threads launches one, from eight blocks.",
         [n, r](long long) { fire<<<8, n / 8>>>(1, r); }, all_ran},
        {"tail", "chain of tail launches", "Each launches the next one into its tail.",
         [n, r](long long) { tail_chain<<<1, 1>>>(n, r); }, chain_ended},
    };
    run(demo, "launches", std::to_string(n) + " empty kernels", by_host_clock(n, 11, "launch", n), ways);

    const auto once = [](int count, void (*kernel)(int, Report*), Report* to) {
        return [=](long long) { kernel<<<1, 1>>>(count, to); };
    };
    run(demo, "alone", "one kernel, and one more, to the end of a wait", by_host_clock(1, 101),
        {{"host", "an empty kernel", "", [](long long) { nothing<<<1, 1>>>(); }},
         {"two", "two empty kernels", "The host launches both.",
          [](long long) {
              nothing<<<1, 1>>>();
              nothing<<<1, 1>>>();
          }},
         {"fire", "fires another, forgets it", "The first launches the second.", once(1, fire, r), all_ran},
         {"line", "launches it in order", "Into the block's default stream.", once(1, line_up, r), all_ran},
         {"tail", "launches it into its tail", "The second begins when the first is complete.",
          once(1, tail_chain, r), chain_ended}});
}

// ---- family ---------------------------------------------------------------------------------------------

/// The parent's result decides how many blocks its two children get.
__global__ void choose(int* blocks, int most) {
    *blocks = most / 2;
}

__global__ void halve(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 0.5f + 1.0f;
}

struct Family {
    int *blocks, most, n;
    const float* in;
    float *middle, *out;
};
__global__ void choose_and_launch(Family f) {
    *f.blocks = f.most / 2;
    const int half = f.n / 2;
    halve<<<*f.blocks, 256, 0, cudaStreamFireAndForget>>>(f.in, f.middle, half);
    halve<<<*f.blocks, 256, 0, cudaStreamFireAndForget>>>(f.in + half, f.middle + half, f.n - half);
    halve<<<f.most, 256, 0, cudaStreamTailLaunch>>>(f.middle, f.out, f.n);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

void family_by_host(Family f, bool waits_for_children) {
    choose<<<1, 1>>>(f.blocks, f.most);
    int chosen = 0, half = f.n / 2;
    CUDA_CHECK(cudaMemcpy(&chosen, f.blocks, sizeof chosen, cudaMemcpyDeviceToHost));
    halve<<<chosen, 256>>>(f.in, f.middle, half);
    halve<<<chosen, 256>>>(f.in + half, f.middle + half, f.n - half);
    if (waits_for_children) CUDA_CHECK(cudaDeviceSynchronize());
    halve<<<f.most, 256>>>(f.middle, f.out, f.n);
}

void show_family(Demo& demo) {
    if (!demo.part("family")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    kit::Random random(16);
    const std::vector<float> values = kit::integers<float>(random, n, -100, 100);
    const DeviceBuffer<float> in(values);
    DeviceBuffer<float> middle(n), out(n);
    DeviceBuffer<int> blocks(1);
    const int most = std::clamp(static_cast<int>(n) / 256, 2, 1024);
    const Family f = {blocks.data(), most, static_cast<int>(n), in.data(), middle.data(), out.data()};
    const auto right = [&](long long) {
        const std::vector<float> got = out.to_vector();
        out.clear();
        for (std::size_t i = 0; i < n; ++i)
            if (got[i] != values[i] * 0.25f + 1.5f) return false;  // exact: small integers, quarters
        return true;
    };
    run(demo, "family", "a family of 4 kernels, " + std::to_string(n) + " values",
        by_host_clock(demo.n(), 101),
        {{"v1", "host, waits whenever it can",
          "The host waits for the parent's number, then for the children.",
          [&](long long) { family_by_host(f, true); }, right},
         {"v2", "host, waits for the number", "What needs the children only follows them in the stream.",
          [&](long long) { family_by_host(f, false); }, right},
         {"v3", "the parent launches", "Two children, and the last kernel into the tail.",
          [&](long long) { choose_and_launch<<<1, 1>>>(f); }, right}});
}

// ---- refine ---------------------------------------------------------------------------------------------

void refine_by_host(const int* heights, int n, int limit, nested::Refinement work) {
    nested::RefineState state = {};
    const nested::Piece whole = {0, n - 1};
    CUDA_CHECK(cudaMemcpyAsync(work.now, &whole, sizeof whole, cudaMemcpyHostToDevice));
    for (int pieces = 1; pieces > 0;) {
        state.next_count = 0;
        CUDA_CHECK(cudaMemcpyAsync(work.state, &state, sizeof state, cudaMemcpyHostToDevice));
        contest::refine_level<<<kit::ceil_div(pieces, nested::kBlock), nested::kBlock>>>(
            heights, limit, work, work.now, pieces, work.next);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&state, work.state, sizeof state, cudaMemcpyDeviceToHost));
        ++state.levels;
        pieces = std::min(state.next_count, work.capacity / 2 * 2);
        std::swap(work.now, work.next);
    }
    CUDA_CHECK(cudaMemcpyAsync(work.state, &state, sizeof state, cudaMemcpyHostToDevice));
}

void show_refine(Demo& demo) {
    if (!demo.part("refine")) return;
    constexpr int limit = 30;
    kit::Random random(16);
    std::vector<int> heights(static_cast<std::size_t>(std::max(demo.n(), 2ll)));
    int height = 0;
    for (int& h : heights) h = height += static_cast<int>(random.integer(-100, 100));
    const std::vector<int> want = contest::ends_of_pieces(heights, limit);
    const DeviceBuffer<int> curve(heights);
    DeviceBuffer<nested::Piece> now(heights.size()), next(heights.size()), done(heights.size());
    DeviceBuffer<nested::RefineState> state(1);
    done.clear();
    const int n = static_cast<int>(heights.size());
    const nested::Refinement work = {now.data(), next.data(), done.data(), n, state.data()};
    const auto right = [&](long long) {
        std::vector<nested::Piece> pieces = done.to_vector();
        pieces.resize(std::min(pieces.size(), static_cast<std::size_t>(state.to_vector()[0].done_count)));
        done.clear();
        std::sort(pieces.begin(), pieces.end(), [](auto a, auto b) { return a.last < b.last; });
        int first = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (i >= want.size() || pieces[i].first != first || pieces[i].last != want[i]) return false;
            first = want[i];
        }
        return pieces.size() == want.size();
    };
    const auto levels = [&] { return static_cast<long long>(state.to_vector()[0].levels); };
    run(demo, "refine",
        "refine a curve of " + std::to_string(n) + " samples into " + std::to_string(want.size()) + " pieces",
        by_host_clock(n, 51, "level"),
        {{"v1", "the host asks", "After each level the host reads how many pieces the next one has.",
          [&](long long) { refine_by_host(curve.data(), n, limit, work); }, right, false, 0, 0, 0, levels},
         {"v2", "tail launches", "The block that is done last launches the next level.",
          [&](long long) { nested::refine(curve.data(), n, limit, work); }, right, false, 0, 0, 0, levels}});
}

// ---- loop -----------------------------------------------------------------------------------------------

#ifndef KIT_CPU
__global__ void begin(int* labels, int n, nested::LoopState* state) {
    const int v = blockIdx.x * nested::kBlock + threadIdx.x;
    if (v < n) labels[v] = v;
    if (v == 0) *state = {0, 1};
}

/// Decides after each round whether another round follows.
__global__ void decide(nested::LoopState* state, int most_rounds, cudaGraphConditionalHandle handle) {
    const bool again = state->changed != 0 && state->rounds < most_rounds;
    if (again) *state = {0, state->rounds + 1};
    cudaGraphSetConditional(handle, again ? 1 : 0);
}

/// A graph with one node: while(...) { one_round; decide; }
std::shared_ptr<CUgraphExec_st> while_graph(const nested::Edge* edges, int m, int* labels, int most_rounds,
                                            nested::LoopState* state) {
    cudaGraph_t graph;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle;
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node;
    CUDA_CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));

    cudaGraph_t body = loop.conditional.phGraph_out[0];
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    nested::one_round<<<kit::ceil_div(m, nested::kBlock), nested::kBlock, 0, stream>>>(edges, m, labels,
                                                                                       state);
    decide<<<1, 1, 0, stream>>>(state, most_rounds, handle);
    CUDA_CHECK(cudaStreamEndCapture(stream, &body));
    CUDA_CHECK(cudaStreamDestroy(stream));

    cudaGraphExec_t exec;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return {exec, cudaGraphExecDestroy};
}
#endif

void show_loop(Demo& demo) {
    if (!demo.part("loop")) return;
    const int n = std::clamp(static_cast<int>(demo.n()), 2, on_gpu ? 4096 : 300);
    kit::Random random(16);
    const auto order = kit::permutation<int>(random, static_cast<std::size_t>(n));
    std::vector<nested::Edge> edges;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) edges.push_back({order[i], order[i + 1]});
    const DeviceBuffer<nested::Edge> in(edges);
    const int m = static_cast<int>(edges.size());
    DeviceBuffer<int> labels(static_cast<std::size_t>(n));
    DeviceBuffer<nested::LoopState> state(1);
    const auto right = [&](long long) {
        const bool all_zero = labels.to_vector() == std::vector<int>(static_cast<std::size_t>(n), 0);
        CUDA_CHECK(cudaMemset(labels.data(), 0xff, labels.bytes()));
        return all_zero;
    };
    const auto rounds = [&] { return static_cast<long long>(state.to_vector()[0].rounds); };
    std::vector<Version> ways = {
        {"v1", "the host asks", "After each round the host reads whether it changed something.",
         [&](long long) { nested::host_loop(in.data(), m, labels.data(), n, n + 1, state.data()); }, right,
         false, 0, 0, 0, rounds},
        {"v2", "tail launches", "A kernel of one thread launches a round, and itself into its tail.",
         [&](long long) { nested::tail_loop(in.data(), m, labels.data(), n, n + 1, state.data()); }, right,
         false, 0, 0, 0, rounds}};
#ifndef KIT_CPU
    const auto graph = while_graph(in.data(), m, labels.data(), n + 1, state.data());
    ways.push_back(
        {"v3", "a WHILE node", "A graph whose one node repeats a round and a decision (lecture 17).",
         [&, graph](long long) {
             begin<<<kit::ceil_div(n, nested::kBlock), nested::kBlock>>>(labels.data(), n, state.data());
             CUDA_CHECK(cudaGraphLaunch(graph.get(), nullptr));
         },
         right, false, 0, 0, 0, rounds});
#endif
    run(demo, "loop", "a path of " + std::to_string(n) + " vertices, until no label changes",
        by_host_clock(n, 11, "round"), ways);
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"16_dynamic_parallelism",
               "what a launch costs, and what kernels that launch kernels are worth",
               1'000'000,
               20'000,
               10'000'000,
               {},
               {"launches", "alone", "family", "spmv_uniform", "spmv_power", "spmv_block", "spmv_source_few",
                "spmv_source_spread", "break_even", "refine", "sort", "radix", "octree_small", "octree_large",
                "octree_deep", "loop"}},
              argc, argv);
    // In the block diagonal matrix n / 244 threads launch a child at once: more than have room without this.
    // Refused launches are handled, but a kernel whose fire-and-forget launches are refused may never end: refused_launches.cu.
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max(8192ll, demo.n() / 100)));
    show_launches(demo);
    show_family(demo);
    contest::show_spmv(demo);
    contest::show_source_matrices(demo);
    contest::show_break_even(demo);
    show_refine(demo);
    contest::show_sorts(demo);
    contest::show_octree(demo);
    show_loop(demo);
    return demo.finish();
}
