// Grades 15_work_queues/stack_traversal: the same counts as brute force, with the octree of topic 16, deep and flat.
#include <string>
#include <vector>

#include "15_work_queues/tasks.hpp"
#include "16_dynamic_parallelism/octree.hpp"
#include "16_dynamic_parallelism/points.hpp"

namespace {

using namespace queues_test;
using nested::Box;
using nested_test::anywhere;
using nested_test::HostOctree;
using nested_test::uniform;

/// A heap in a corner of a heap in a corner ...: at each level one cell of eight is deep, and the others are worth keeping.
/// `corner`: the first or the last of eight.
std::vector<float3> corner_heaps(kit::Random& random, bool first, int levels = 9, int each = 400) {
    std::vector<float3> points;
    float size = 1;
    for (int level = 0; level < levels; ++level, size /= 2) {
        for (int i = 0; i < each; ++i) {
            const float3 p = anywhere(random, 0, size);
            points.push_back(first ? p : float3{1 - p.x, 1 - p.y, 1 - p.z});
        }
    }
    return points;
}

/// Most boxes are small, and a few hold much of the tree.
std::vector<Box> boxes_of(kit::Random& random, const std::vector<float3>& points, int n) {
    std::vector<Box> boxes;
    for (int k = 0; k < n; ++k) {
        const float half = std::min(0.01f / static_cast<float>(random.unit() + 0.005), 1.5f);
        const float3 c = points.empty() ? float3{0, 0, 0}
                                        : points[static_cast<std::size_t>(random.integer(
                                              0, static_cast<std::int64_t>(points.size()) - 1))];
        boxes.push_back({{c.x - half, c.y - half, c.z - half}, {c.x + half, c.y + half, c.z + half}});
    }
    return boxes;
}
const Box everything = {{-9, -9, -9}, {9, 9, 9}}, nothing = {{5, 5, 5}, {6, 6, 6}};

/// What has to be looked at for one box: cells, and rounds of 32 points.
struct Visits {
    std::uint64_t cells = 0, rounds = 0;
};

void visit(const HostOctree& tree, const Box& box, int index, Visits& visits) {
    const nested::Node& cell = tree.nodes[static_cast<std::size_t>(index)];
    ++visits.cells;
    if (cell.first_child == 0 || cell.count <= 32) {
        visits.rounds += (static_cast<std::uint64_t>(cell.count) + 31) / 32;
        return;
    }
    for (int below = cell.first_child; below < cell.first_child + 8; ++below) {
        const nested::Node& b = tree.nodes[static_cast<std::size_t>(below)];
        const bool apart = b.count == 0 || b.bounds.low.x > box.high.x || b.bounds.high.x < box.low.x ||
                           b.bounds.low.y > box.high.y || b.bounds.high.y < box.low.y ||
                           b.bounds.low.z > box.high.z || b.bounds.high.z < box.low.z;
        if (!apart) visit(tree, box, below, visits);
    }
}

struct Asked {
    std::vector<Box> boxes;
    int blocks = 1;
    bool by_threads = false;
    bool counted = false;  ///< what is loaded; the tree is so flat that the stack is never full
};

void judge(kit::Case& test, const HostOctree& tree, const Asked& asked) {
    const int n = static_cast<int>(asked.boxes.size());
    std::vector<int> want;
    for (const Box& box : asked.boxes)
        want.push_back(static_cast<int>(std::count_if(
            tree.points.begin(), tree.points.end(), [&](float3 p) { return nested_test::lies_in(box, p); })));
    auto nodes = test.input("nodes", tree.nodes);
    auto points = test.input("points", tree.points);
    auto boxes = test.input("boxes", asked.boxes);
    auto counts = test.output<int>("counts", asked.boxes.size());
    auto next = test.output<unsigned int>("next", 1);
    const nested::Octree on_device = {nodes.data(), points.data(), static_cast<int>(tree.nodes.size()),
                                      static_cast<int>(tree.points.size())};
    const auto run = [&] {
        if (asked.by_threads)
            work_queues::count_by_threads(on_device, boxes.data(), n, counts.data());
        else
            work_queues::stack_traversal(on_device, boxes.data(), n, counts.data(), next.data(),
                                         asked.blocks);
    };
    if (asked.counted) {
        const kit::Counts loads = test.counts(run);
        test.expect(counts, want);
        if (!loads.counted) return;
        Visits visits;
        for (const Box& box : asked.boxes) visit(tree, box, 0, visits);
        // The words of a cell, which all lanes may read, twice over; those of 8 cells below, and 3 of each point.
        constexpr std::uint64_t cell = sizeof(nested::Node) / 4;
        const std::uint64_t most =
            2 * 40 * cell * visits.cells + 2 * 3 * 32 * visits.rounds + 32 * 16 * asked.boxes.size();
        test.demand("loads", loads.loads.lanes <= most,
                    std::to_string(loads.loads.lanes) + " loads by threads, and " + std::to_string(most) +
                        " are plenty for the " + std::to_string(visits.cells) +
                        " cells that meet a box and their points");
        return;
    }
    const Did did = counted_call(test, run);
    test.expect(counts, want);
    if (asked.by_threads) return;
    judge_threads(test, did, asked.blocks, "Task 1");
    judge_claims(test, did, asked.boxes.size(), 1,
                 static_cast<std::uint64_t>(asked.blocks) * (work_queues::kBlock / work_queues::kLanes),
                 "each box", "Task 4");
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "stack_traversal", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::uninitialised, kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(4, {kit::Diagnosis::not_written});
    for (const int task : {2, 3}) {
        grader.task(task, kit::About().demand("loads"));
        grader.task(
            task,
            kit::About().on("stacks").position(
                kit::facts::Memory::Position::after));  // a full stack: the cell should have been searched
    }
    for (const int n : {0, 1, 33, 700, 4001}) {
        grader.add("random points, n=" + std::to_string(n), [n](kit::Case& test) {
            const std::vector<float3> points = uniform(test.random(), n);
            std::vector<Box> boxes = boxes_of(test.random(), points, 37);
            boxes.push_back(everything);
            boxes.push_back(nothing);
            judge(test, nested_test::build_octree(points, 16), {boxes, 1});
        });
    }
    for (const bool first : {true, false}) {
        grader.add(first ? "deep, in the first corner" : "deep, in the last corner",
                   [first](kit::Case& test) {
                       const std::vector<float3> points = corner_heaps(test.random(), first);
                       std::vector<Box> boxes = boxes_of(test.random(), points, 20);
                       boxes.insert(boxes.begin(), 3, everything);
                       judge(test, nested_test::build_octree(points, 16), {boxes, 2});
                   });
    }
    grader.add("all points equal, n=2000", [](kit::Case& test) {
        const float3 p = anywhere(test.random(), 0, 1);
        judge(test, nested_test::build_octree(std::vector<float3>(2000, p)),
              {{everything, nothing, {p, p}, everything}, 1});
    });
    grader.add("leaves of many points", [](kit::Case& test) {
        const std::vector<float3> points = uniform(test.random(), 1500);
        judge(test, nested_test::build_octree(points, 200), {boxes_of(test.random(), points, 20), 1});
    });
    grader.add("no boxes", [](kit::Case& test) {
        judge(test, nested_test::build_octree(uniform(test.random(), 100)), {{}, 1});
    });
    grader.add("loads, counted", [](kit::Case& test) {
        const std::vector<float3> points = uniform(test.random(), 6000);
        judge(test, nested_test::build_octree(points, 16),
              {boxes_of(test.random(), points, 12), 1, false, true});
    });
    grader.add("given: by threads", [](kit::Case& test) {
        const std::vector<float3> points = corner_heaps(test.random(), false, 6);
        judge(test, nested_test::build_octree(points, 16), {boxes_of(test.random(), points, 40), 1, true});
    });
    return grader.run();
}
