// Demo of 16_dynamic_parallelism: what a launch costs, and where kernels that launch kernels win or lose. Runs the
// solutions themselves, beside the ways without dynamic parallelism.
//
// Build: cmake --build --preset demo -t demo.16_dynamic_parallelism
//        or: nvcc -std=c++17 -O3 -rdc=true -arch=native -Icommon -Itests lectures/16_dynamic_parallelism/demo.cu
//            solutions/16_dynamic_parallelism/*.cu -o demo
// Run:   ./demo [--part NAME] [--points N] [--rows N] [--values N] [--json FILE]
//
//   launches   host, host and wait, graph, fire and forget, one stream, tail chain; a family by host and by kernel
//   quicksort  six patterns of values, against CUB's radix sort
//   spmv       thread per row, warp per row, adaptive, list of dense rows; three kinds of matrix
//   octree     host-driven, recursive, persistent, flattened; two boxes, and a tree of depth 10
//   loops      rounds until nothing changes, by the host and by tail launches; levels of refine
//
// On a GPU: times. On the CPU executor: who launched how much, and how often the host waited.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "16_dynamic_parallelism/octree.hpp"
#include "contest.hpp"
#include "grader/inputs.hpp"
#include "kit.cuh"
#ifndef KIT_CPU
#include <cub/device/device_radix_sort.cuh>
#endif

namespace {

using demo::compare;
using demo::on_gpu;
using demo::Sizes;
using demo::Version;
using kit::DeviceBuffer;

// ---- launches -------------------------------------------------------------------------------------------

__global__ void nothing() {}

__global__ void fire(int n) {
    for (int i = 0; i < n; ++i) nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
}

__global__ void queue_up(int n) {
    for (int i = 0; i < n; ++i) nothing<<<1, 1>>>();
}

__global__ void tail_chain(int n) {
    if (n > 1) tail_chain<<<1, 1, 0, cudaStreamTailLaunch>>>(n - 1);
}

/// A parent whose result decides how many blocks its children get, two children, and one that needs both.
__global__ void choose(int* blocks, int most) {
    *blocks = most / 2 + static_cast<int>(threadIdx.x);
}
__global__ void busy(float* values, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] = values[i] * 0.5f + 1.0f;
}
__global__ void choose_and_launch(int* blocks, int most, float* values, int n) {
    *blocks = most / 2;
    busy<<<*blocks, 256, 0, cudaStreamFireAndForget>>>(values, n / 2);
    busy<<<*blocks, 256, 0, cudaStreamFireAndForget>>>(values + n / 2, n - n / 2);
    busy<<<most, 256, 0, cudaStreamTailLaunch>>>(values, n);
}

void family_by_host(int* blocks, int most, float* values, int n) {
    choose<<<1, 1>>>(blocks, most);
    int chosen = 0;
    CUDA_CHECK(cudaMemcpy(&chosen, blocks, sizeof chosen, cudaMemcpyDeviceToHost));
    busy<<<chosen, 256>>>(values, n / 2);
    busy<<<chosen, 256>>>(values + n / 2, n - n / 2);
    CUDA_CHECK(cudaDeviceSynchronize());
    busy<<<most, 256>>>(values, n);
    CUDA_CHECK(cudaDeviceSynchronize());
}

#ifndef KIT_CPU
/// One launch of a graph with `nodes` empty kernels in a row.
std::function<void()> graph_of(int nodes) {
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
    return [exec] { CUDA_CHECK(cudaGraphLaunch(exec, nullptr)); };
}
#endif

void show_launches(const Sizes& sizes) {
    const int n = on_gpu ? 1000 : 50;
    const auto units = [n] { return n; };
    const auto always = [] { return true; };
    std::vector<Version> ways = {
        {"host, asynchronous",
         [n] {
             for (int i = 0; i < n; ++i) nothing<<<1, 1>>>();
         },
         always, units},
        {"host, waits for each",
         [n] {
             for (int i = 0; i < n; ++i) {
                 nothing<<<1, 1>>>();
                 CUDA_CHECK(cudaDeviceSynchronize());
             }
         },
         always, units},
        {"kernel, fire and forget", [n] { fire<<<1, 1>>>(n); }, always, units},
        {"kernel, one stream", [n] { queue_up<<<1, 1>>>(n); }, always, units},
        {"kernel, chain of tail launches", [n] { tail_chain<<<1, 1>>>(n); }, always, units},
    };
#ifndef KIT_CPU
    ways.push_back({"host, one graph of all", graph_of(n), always, units});
    const auto one = graph_of(1);
    ways.push_back({"host, a graph of one each",
                    [one, n] {
                        for (int i = 0; i < n; ++i) one();
                    },
                    always, units});
#endif
    compare("launches", std::to_string(n) + " empty kernels", "launch", ways);

    DeviceBuffer<float> values(static_cast<std::size_t>(sizes.values));
    values.clear();
    DeviceBuffer<int> blocks(1);
    const int most = std::max(2, std::min(1024, sizes.values / 256));
    compare(
        "launches", "a family of 4 kernels, " + std::to_string(sizes.values) + " values", "family",
        {{"driven by the host", [&] { family_by_host(blocks.data(), most, values.data(), sizes.values); }},
         {"driven by the parent", [&] {
              choose_and_launch<<<1, 1>>>(blocks.data(), most, values.data(), sizes.values);
              CUDA_CHECK(cudaDeviceSynchronize());
          }}});
}

// ---- quicksort ------------------------------------------------------------------------------------------

void show_quicksort(const Sizes& sizes) {
    const int n = sizes.values;
    kit::Random random(16);
    std::vector<std::pair<std::string, std::vector<int>>> patterns;
    const auto shuffled = kit::integers<int>(random, n, -2000000000, 2000000000);
    auto sorted = shuffled, pipe = shuffled;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < n; ++i) pipe[static_cast<std::size_t>(i)] = std::min(i, n - 1 - i);
    patterns.emplace_back("random", shuffled);
    patterns.emplace_back("sorted", sorted);
    patterns.emplace_back("reversed", std::vector<int>(sorted.rbegin(), sorted.rend()));
    patterns.emplace_back("organ pipe", pipe);
    patterns.emplace_back("two values", kit::integers<int>(random, n, 6, 7));
    patterns.emplace_back("all equal", std::vector<int>(static_cast<std::size_t>(n), 4));
    DeviceBuffer<int> in(static_cast<std::size_t>(n)), out(in.size()), scratch(in.size());
    for (const auto& [name, values] : patterns) {
        in.copy_from(values);
        std::vector<int> want = values;
        std::sort(want.begin(), want.end());
        const auto right = [&] { return out.to_vector() == want; };
        std::vector<Version> ways = {
            {"quicksort by launches",
             [&] {
                 CUDA_CHECK(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice));
                 nested::quicksort(out.data(), n, scratch.data());
             },
             right}};
#ifndef KIT_CPU
        std::size_t bytes = 0;
        CUDA_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in.data(), out.data(), n));
        DeviceBuffer<char> space(bytes);
        ways.push_back(
            {"CUB DeviceRadixSort::SortKeys",
             [&] {
                 CUDA_CHECK(cub::DeviceRadixSort::SortKeys(space.data(), bytes, in.data(), out.data(), n));
             },
             right});
#endif
        compare("quicksort", std::to_string(n) + " values, " + name, "call", ways, 11);
    }
}

// ---- spmv -----------------------------------------------------------------------------------------------

/// Lengths of the rows, for the three kinds of matrix.
std::vector<int> row_lengths(const std::string& kind, int rows, kit::Random& random) {
    std::vector<int> lengths(static_cast<std::size_t>(rows), 32);
    for (int r = 0; r < rows; ++r) {
        int& length = lengths[static_cast<std::size_t>(r)];
        if (kind == "power law") length = static_cast<int>(std::min(2 / (random.unit() + 5e-5), rows * 0.4));
        // Blocks of 16 rows, and in every 12500 rows one of 512.
        if (kind == "block diagonal") length = r % 12500 < 512 ? 512 : 16;
    }
    return lengths;
}

void show_spmv(const Sizes& sizes) {
    for (const std::string kind : {"uniform", "power law", "block diagonal"}) {
        kit::Random random(16);
        std::vector<int> row_start = {0}, column;
        int dense = 0;
        for (const int length : row_lengths(kind, sizes.rows, random)) {
            const int row = static_cast<int>(row_start.size()) - 1;
            const int block = kind == "block diagonal" ? row / std::max(length, 1) * length : -1;
            for (int k = 0; k < length; ++k)
                column.push_back(block < 0 ? static_cast<int>(random.integer(0, sizes.rows - 1))
                                           : std::min(block + k, sizes.rows - 1));
            row_start.push_back(static_cast<int>(column.size()));
            dense += length > nested::kDense;
        }
        const DeviceBuffer<int> starts(row_start), columns(column);
        const DeviceBuffer<float> values(kit::integers<float>(random, column.size(), -3, 3)),
            x(kit::integers<float>(random, static_cast<std::size_t>(sizes.rows), -3, 3));
        DeviceBuffer<float> y(static_cast<std::size_t>(sizes.rows));
        DeviceBuffer<int> list(static_cast<std::size_t>(sizes.rows) + 1);
        const nested::Csr a = {sizes.rows, starts.data(), columns.data(), values.data()};
        nested::spmv_thread_per_row(a, x.data(), y.data());
        const std::vector<float> want = y.to_vector();  // small integers: exact in any order
        const auto right = [&] { return y.to_vector() == want; };
        compare(
            "spmv",
            kind + ", " + std::to_string(sizes.rows) + " rows, " + std::to_string(column.size()) +
                " entries, " + std::to_string(dense) + " dense rows",
            "call",
            {{"v1 one thread per row", [&] { nested::spmv_thread_per_row(a, x.data(), y.data()); }, right},
             {"v2 one warp per row", [&] { nested::spmv_warp_per_row(a, x.data(), y.data()); }, right},
             {"v3 adaptive, children", [&] { nested::adaptive_spmv(a, x.data(), y.data()); }, right},
             {"v4 list of dense rows", [&] { nested::spmv_two_kernels(a, x.data(), y.data(), list.data()); },
              right}});
    }
}

// ---- octree ---------------------------------------------------------------------------------------------

void query_all_ways(const nested_test::HostOctree& tree, const nested::Box& box, const std::string& what) {
    const DeviceBuffer<nested::Node> nodes(tree.nodes);
    const DeviceBuffer<float3> points(tree.points);
    const auto cells = tree.nodes.size();
    DeviceBuffer<int> found(tree.points.size()), count(1), lists(2 * cells), numbers(3);
    int want = 0;
    for (const float3 p : tree.points) want += nested_test::lies_in(box, p);
    const nested::Octree on_device = {nodes.data(), points.data(), static_cast<int>(cells),
                                      static_cast<int>(tree.points.size())};
    const nested::Found answer = {found.data(), static_cast<int>(found.size()), count.data()};
    const auto right = [&] { return count.to_vector()[0] == want; };
    compare(
        "octree",
        what + ", " + std::to_string(tree.points.size()) + " points, " + std::to_string(cells) +
            " cells, depth " + std::to_string(tree.depth) + ", " + std::to_string(want) + " hits",
        "query",
        {{"v1 host-driven, level by level",
          [&] { nested::octree_host_driven(on_device, box, answer, lists.data(), numbers.data()); }, right},
         {"v2 recursive, children", [&] { nested::octree_query(on_device, box, answer); }, right},
         {"v3 persistent, queue",
          [&] { nested::octree_persistent(on_device, box, answer, lists.data(), numbers.data()); }, right},
         {"v4 flattened, every point", [&] { nested::octree_flattened(on_device, box, answer); }, right}});
}

nested::Box around(float3 c, float half) {
    return {{c.x - half, c.y - half, c.z - half}, {c.x + half, c.y + half, c.z + half}};
}

void show_octree(const Sizes& sizes) {
    kit::Random random(16);
    const auto one = [&](float low, float high) {
        return static_cast<float>(low + (high - low) * random.unit());
    };
    const auto cube = [&](float low, float high) {
        const float x = one(low, high), y = one(low, high), z = one(low, high);
        return float3{x, y, z};
    };
    std::vector<float3> points(static_cast<std::size_t>(sizes.points));
    for (float3& p : points) p = cube(0, 1);
    const nested_test::HostOctree tree = nested_test::build_octree(points);
    query_all_ways(tree, around({0.4f, 0.5f, 0.6f}, 0.05f), "uniform, box of 0.1");
    query_all_ways(tree, around({0.4f, 0.5f, 0.6f}, 0.15f), "uniform, box of 0.3");

    // A heap so small that the tree must go down to level 10 to part it.
    points.resize(static_cast<std::size_t>(sizes.points / 10));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float3 d = cube(-0.001f, 0.001f);
        points[i] = i % 10 == 0 ? cube(0, 1) : float3{0.3f + d.x, 0.3f + d.y, 0.3f + d.z};
    }
    query_all_ways(nested_test::build_octree(points, 64, 10), around({0.3f, 0.3f, 0.3f}, 0.0001f),
                   "a heap, box of 0.0002");
}

// ---- loops ----------------------------------------------------------------------------------------------

void show_loops(const Sizes& sizes) {
    const int n = std::min(sizes.values, on_gpu ? 4096 : 300);
    kit::Random random(16);
    const auto order = kit::permutation<int>(random, static_cast<std::size_t>(n));
    std::vector<nested::Edge> edges;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) edges.push_back({order[i], order[i + 1]});
    const DeviceBuffer<nested::Edge> in(edges);
    const int m = static_cast<int>(edges.size());
    DeviceBuffer<int> labels(static_cast<std::size_t>(n));
    DeviceBuffer<nested::LoopState> state(1);
    const auto right = [&] { return labels.to_vector() == std::vector<int>(static_cast<std::size_t>(n), 0); };
    const auto rounds = [&] { return state.to_vector()[0].rounds; };
    compare(
        "loops", "a path of " + std::to_string(n) + " vertices", "round",
        {{"v1 the host asks", [&] { nested::host_loop(in.data(), m, labels.data(), n, n + 1, state.data()); },
          right, rounds},
         {"v2 tail launches", [&] { nested::tail_loop(in.data(), m, labels.data(), n, n + 1, state.data()); },
          right, rounds}});

    std::vector<int> heights(static_cast<std::size_t>(sizes.values));
    int height = 0;
    for (int& h : heights) h = height += static_cast<int>(random.integer(-100, 100));
    const DeviceBuffer<int> curve(heights);
    DeviceBuffer<nested::Piece> now(heights.size()), next(heights.size()), done(heights.size());
    DeviceBuffer<nested::RefineState> refined(1);
    compare("loops", "refine a curve of " + std::to_string(sizes.values) + " samples", "level",
            {{"a launch per level",
              [&] {
                  nested::refine(curve.data(), sizes.values, 30,
                                 {now.data(), next.data(), done.data(), sizes.values, refined.data()});
              },
              [&] { return refined.to_vector()[0].overflow == 0; },
              [&] { return refined.to_vector()[0].levels; }}});
}

}  // namespace

int main(int argc, char** argv) {
    const Sizes sizes = demo::begin(argc, argv);
    if (sizes.wants("launches")) show_launches(sizes);
    if (sizes.wants("quicksort")) show_quicksort(sizes);
    if (sizes.wants("spmv")) show_spmv(sizes);
    if (sizes.wants("octree")) show_octree(sizes);
    if (sizes.wants("loops")) show_loops(sizes);
    demo::end();
    return 0;
}
