// Grades 16_dynamic_parallelism/octree_query: the same set as brute force, in any order; overflow; refused launches.
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch
#include <algorithm>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "16_dynamic_parallelism/launches.hpp"
#include "16_dynamic_parallelism/octree.hpp"
#include "16_dynamic_parallelism/points.hpp"

namespace {

using namespace nested_test;
using nested::Box;

/// Returns points that are mostly in a few small heaps: deep cells next to empty ones.
std::vector<float3> clustered(kit::Random& random, int n) {
    std::vector<float3> points = uniform(random, n);
    const std::vector<float3> centers = uniform(random, 5);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i % 10 == 0) continue;
        const float3 c = centers[i % centers.size()], d = anywhere(random, -0.01f, 0.01f);
        points[i] = {c.x + d.x * d.y * 100, c.y + d.y, c.z + d.z};
    }
    return points;
}

Box around(float3 center, float half) {
    return {{center.x - half, center.y - half, center.z - half},
            {center.x + half, center.y + half, center.z + half}};
}
const Box everything = {{-9, -9, -9}, {9, 9, 9}};

struct Answer {
    Launches launches;
    std::vector<int> want;  ///< all points in the box
};

/// One of the four ways through the tree.
using Query = void (*)(const nested::Octree&, const Box&, const nested::Found&);

void recursive(const nested::Octree& tree, const Box& box, const nested::Found& found) {
    nested::octree_query(tree, box, found);
}
void brute_force(const nested::Octree& tree, const Box& box, const nested::Found& found) {
    nested::octree_brute_force(tree, box, found);
}
void host_driven(const nested::Octree& tree, const Box& box, const nested::Found& found) {
    kit::DeviceBuffer<int> cells(2 * static_cast<std::size_t>(tree.node_count)), sizes(2);
    nested::octree_host_driven(tree, box, found, cells.data(), sizes.data());
}
void persistent(const nested::Octree& tree, const Box& box, const nested::Found& found) {
    kit::DeviceBuffer<int> cells(static_cast<std::size_t>(tree.node_count)), queue(3);
    nested::octree_persistent(tree, box, found, cells.data(), queue.data());
    CUDA_CHECK(cudaDeviceSynchronize());
}

/// Runs a query, and compares the result with brute force.
Answer judge(kit::Case& test, const HostOctree& tree, const Box& box, int capacity, Query query = recursive) {
    Answer answer;
    for (std::size_t i = 0; i < tree.points.size(); ++i)
        if (lies_in(box, tree.points[i])) answer.want.push_back(static_cast<int>(i));
    const int hits = static_cast<int>(answer.want.size());
    auto nodes = test.input("nodes", tree.nodes);
    auto points = test.input("points", tree.points);
    // The query does not write all of it.
    auto found = test.inout("found.points", std::vector<int>(static_cast<std::size_t>(capacity), -1));
    auto count = test.output<int>("found.count", 1);
    const nested::Octree on_device = {nodes.data(), points.data(), static_cast<int>(tree.nodes.size()),
                                      static_cast<int>(tree.points.size())};
    answer.launches = counted_call(test, [&] {
        query(on_device, box, {found.data(), capacity, count.data()});
    });
    const int counted = count.values()[0];
    test.check(hits == 0 || counted != 32 * hits, "found.count is " + std::to_string(counted) +
                                                      ", 32 times the " + kit::count_of(hits, "point") +
                                                      " in the box: let one lane add the hits of its warp" +
                                                      kit::task(1));
    test.check(counted == hits, "found.count is " + std::to_string(counted) + ", but " +
                                    kit::count_of(hits, "point", "are") + " in the box" +
                                    (counted > hits ? ": search each cell once, and test each point"
                                                    : ": visit every cell that meets the box") +
                                    (query == persistent ? ", by the queue" + kit::task(4, 5) : ""));
    std::vector<int> got = found.values();
    got.resize(static_cast<std::size_t>(std::max(0, std::min(counted, capacity))));
    std::sort(got.begin(), got.end());
    if (hits <= capacity) {
        test.expect("found.points, sorted", got, answer.want);
    } else {
        test.check(std::adjacent_find(got.begin(), got.end()) == got.end(),
                   "a point was found twice: search each cell once");
        test.check(std::includes(answer.want.begin(), answer.want.end(), got.begin(), got.end()),
                   "a point was found that is not in the box: test each point");
    }
    return answer;
}

void judge_boxes(kit::Case& test, const std::vector<float3>& points, Query query = recursive) {
    const HostOctree tree = build_octree(points);
    const int n = static_cast<int>(points.size());
    judge(test, tree, everything, n, query);
    const float3 center =
        n > 0 ? points[static_cast<std::size_t>(test.random().integer(0, n - 1))] : float3{0, 0, 0};
    judge(test, tree, around(center, 0.2f), n, query);
    judge(test, tree, around(center, 0), n, query);  // finds that point and its equals
    judge(test, tree, {{2, 2, 2}, {3, 3, 3}}, n, query);
}

/// Returns the number of visited cells: the root, and below each cell that is not searched directly, the cells that meet the box.
std::size_t visits(const HostOctree& tree, const Box& box, const nested::Node& cell) {
    std::size_t count = 1;
    if (cell.first_child == 0 || cell.count <= nested::kSearch) return count;
    for (int k = 0; k < 8; ++k) {
        const nested::Node& below = tree.nodes[static_cast<std::size_t>(cell.first_child + k)];
        const Box& b = below.bounds;
        const bool meets = below.count > 0 && b.low.x <= box.high.x && box.low.x <= b.high.x &&
                           b.low.y <= box.high.y && box.low.y <= b.high.y && b.low.z <= box.high.z &&
                           box.low.z <= b.high.z;
        if (meets) count += visits(tree, box, below);
    }
    return count;
}

void count_children(kit::Case& test) {
    const HostOctree tree = build_octree(uniform(test.random(), 6000));
    const Answer all = judge(test, tree, everything, 6000);
    test.demand(
        "launches by the host", kit::exactly(all.launches.by_host, 1),
        kernels(all.launches.by_host) +
            " launched by the host, expected 1: launch one kernel, and let kernels launch the others");
    test.demand("launches by kernels", kit::at_least(all.launches.by_kernels, 9),
                kernels(all.launches.by_kernels) +
                    " launched by kernels, expected at least 9: launch one for the root, and one for each "
                    "cell below it");
    test.demand("launches by kernels", kit::at_most(all.launches.by_kernels, tree.nodes.size()),
                kernels(all.launches.by_kernels) + " launched for " +
                    kit::count_of(tree.nodes.size(), "cell") + ": launch at most one for each");
    const Box corner = around({0.1f, 0.1f, 0.1f}, 0.2f);
    const Answer part = judge(test, tree, corner, 6000);
    const std::size_t meet = visits(tree, corner, tree.nodes[0]);
    test.demand("launches by kernels", kit::at_most(part.launches.by_kernels, meet),
                kernels(part.launches.by_kernels) + " launched for " + kit::count_of(meet, "cell") +
                    " that meet the box: compare the box with a cell before you launch");
    const Answer small = judge(test, tree, {{2, 2, 2}, {3, 3, 3}}, 10);
    test.demand("launches by kernels", kit::at_most(small.launches.by_kernels, 1),
                kernels(small.launches.by_kernels) +
                    " launched for a box outside the tree: compare the box with a cell before you launch");
}

/// All points are hits, and each warp tests 32 of them at a time. Without the tree, no other atomic is needed.
void count_additions([[maybe_unused]] kit::Case& test) {
#ifdef KIT_CPU
    constexpr int n = 2500;
    judge(test, build_octree(uniform(test.random(), n)), everything, n, brute_force);
    const std::uint64_t added = kit::cpu::counters().atomics;  // the atomics of the last call
    test.demand("atomic additions", kit::at_most(added, kit::ceil_div(n, 32)),
                std::to_string(added) + " atomic additions for " + std::to_string(n) + " hits, but at most " +
                    std::to_string(kit::ceil_div(n, 32)) +
                    " are needed: let one lane add all hits of its warp, and none if the warp has no hit" +
                    kit::task(1));
#endif
}

constexpr kit::CaseOptions once = {30, true};

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("16_dynamic_parallelism", "octree_query", argc, argv);
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::race).on("refused"));  // the list that Task 2 fills
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::race).on("refused_count"));
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::not_written, kit::Diagnosis::race});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::barrier});
    // Threads have left before the barrier, or go around it.
    for (const int task : {2, 3})
        grader.task(task, kit::About().rule(kit::facts::Rule::threads_missing).function("__syncthreads()"));
    for (int task : {4, 5}) grader.task(task, kit::About::endless().kernel("octree_v3_persistent"));
    grader.task(4, {kit::Diagnosis::race});
    grader.task(3,
                kit::About().has("returned"));  // the votes are correct, but a single thread reaches them
    grader.task(1, kit::About().demand("atomic additions"));
    struct {
        const char* name;
        Query query;
    } const given[] = {{"brute force", brute_force}, {"host-driven", host_driven}};
    for (const auto& way : given) {
        grader.add(std::string("given, with your Task 1: ") + way.name, [way](kit::Case& test) {
            const std::vector<float3> points = uniform(test.random(), 2500);
            judge(test, build_octree(points), around(points[7], 0.3f), 2500, way.query);
            judge(test, build_octree(points), everything, 900, way.query);
            if (way.query == brute_force) count_additions(test);
        });
    }
    for (int n : {0, 1, 100, nested::kSearch + 1, 4001}) {
        grader.add("random points, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_boxes(test, uniform(test.random(), n)); });
    }
    grader.add("clustered points, n=5000",
               [](kit::Case& test) { judge_boxes(test, clustered(test.random(), 5000)); });
    grader.add("all points equal, n=2000", [](kit::Case& test) {
        judge_boxes(test, std::vector<float3>(2000, anywhere(test.random(), 0, 1)));
    });
    for (int n : {0, 1, 100, 4001}) {
        grader.add("the queue, random points, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_boxes(test, uniform(test.random(), n), persistent); });
    }
    grader.add("the queue, clustered points, n=5000",
               [](kit::Case& test) { judge_boxes(test, clustered(test.random(), 5000), persistent); });
    grader.add("the queue, room for 700 of 3000 hits", [](kit::Case& test) {
        judge(test, build_octree(uniform(test.random(), 3000)), everything, 700, persistent);
    });
    for (int capacity : {0, 1, 700}) {
        grader.add("room for " + std::to_string(capacity) + " of 3000 hits", [capacity](kit::Case& test) {
            judge(test, build_octree(uniform(test.random(), 3000)), everything, capacity);
        });
    }
    if (launches_are_counted) grader.add("launches, counted", count_children, once);
    for (int limit : {1, 5}) {
        grader.add("launches are refused: " + std::to_string(limit) + " may be pending",
                   [limit](kit::Case& test) {
                       const PendingLimit pending(static_cast<std::size_t>(limit));
                       judge(test, build_octree(clustered(test.random(), 6000)), everything, 6000);
                   });
    }
    error_handling::check_failing_calls(grader, argc, argv,
                                        {"random points, n=100", "the queue, random points, n=100"});
    return grader.run();
}
