// Grades 15_work_queues/stack_traversal: the same counts as brute force, with the octree of topic 16, deep and flat.
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "15_work_queues/tasks.hpp"
#include "16_dynamic_parallelism/octree.hpp"
#include "16_dynamic_parallelism/points.hpp"
#include "remembered.hpp"

namespace {

using namespace queues_test;
using nested::Box;
using nested_test::anywhere;
using nested_test::HostOctree;
using nested_test::uniform;

/// Nested heaps, each in a corner of the previous one: at each level one cell of eight is deep, and the others must be kept for later.
/// `corner`: whether the deep cell is the first or the last of the eight.
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

/// Returns boxes of which most are small, and a few hold much of the tree.
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

/// The work for one box: cells to visit, and rounds of 32 points to test.
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

/// Mistakes that a tree of one cell reveals, for which nothing is pushed. The cases with such trees come first.
enum class Wrong { nothing, take, unordered, search, goes_on, sum };

/// Findings of earlier cases. Cases that have ended do not write them.
struct Earlier {
    Wrong wrong = Wrong::nothing;
    bool of_flat_trees = false;  ///< a case whose stack is never full has failed
};
const kit::Remembered<Earlier> earlier;  // findings of earlier cases

kit::Said in_words(Wrong wrong) {
    switch (wrong) {
        case Wrong::take:
            return "the stack has one cell, stack[0]: decrease the number of cells, and read there" +
                   kit::task(1);
        case Wrong::unordered:
            return "lane 0 stores the first cell there: put a __syncwarp() between this store and the reads "
                   "of other lanes" +
                   kit::task(1);
        case Wrong::search:
            return "the count of a tree with one cell is wrong: let the lanes test all points of the cell, "
                   "each "
                   "of them once" +
                   kit::task(2);
        case Wrong::goes_on:
            return "this cell has been searched, but its children are visited, too: continue with "
                   "the next cell" +
                   kit::task(2);
        case Wrong::sum:
            return "the count of a cell with 32 points is wrong, where each lane tests one point: add the "
                   "hits "
                   "of all 32 lanes" +
                   kit::task(4);
        case Wrong::nothing:
            break;
    }
    return "";
}

/// The kind of the only cell of a tree, if the tree has one cell.
enum class Leaf { none, of_32_points, larger };

#ifdef KIT_CPU
bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Returns the cause of the executor's finding.
kit::Said cause_of(const kit::facts::Finding& found, Leaf leaf) {
    using kit::Diagnosis;
    using kit::facts::Memory;
    const Diagnosis diagnosis = kit::detail::failure_of(found).diagnosis;
    const bool of_stack = found.memory.name == "stacks";
    if (leaf != Leaf::none) {
        if (diagnosis == Diagnosis::timeout)
            return "the stack does not become empty: take a cell from it in each round" + kit::task(1);
        if (diagnosis == Diagnosis::uninitialised && of_stack)
            earlier->wrong = ends_with(found.memory.element, "[0]") ? Wrong::unordered : Wrong::take;
        if (diagnosis == Diagnosis::out_of_bounds && found.memory.name == "nodes")
            earlier->wrong = Wrong::goes_on;
    }
    if (earlier->wrong != Wrong::nothing) return in_words(earlier->wrong);
    if (leaf != Leaf::none) return "";
    if (diagnosis == Diagnosis::timeout)
        return "a tree of one cell is counted correctly, but here cells are pushed repeatedly, or not where "
               "they are taken: push each cell once, to the place that is read next" +
               kit::task(3);
    if (diagnosis == Diagnosis::barrier && found.waiting.size() > 1)
        return "the lanes of a warp count the cells on the stack differently: let all 32 lanes vote "
               "(__ballot_sync), and add the same number" +
               kit::task(3);
    if (diagnosis == Diagnosis::uninitialised && of_stack)
        return "a cell is read from a place where none was pushed: push the first cell to stack[kept], and "
               "the next one after it" +
               kit::task(3);
    if (diagnosis == Diagnosis::out_of_bounds && of_stack &&
        found.memory.position == Memory::Position::after && !earlier->of_flat_trees)
        return "the stack is full: search a cell directly when search_now() returns true, because there may "
               "be no "
               "room for its children" +
               kit::task(2);
    return "";
}
#endif

struct Asked {
    std::vector<Box> boxes;
    int blocks = 1;
    bool by_threads = false;
    bool counted = false;  ///< loads are counted; the tree is so flat that the stack is never full
    Leaf leaf = Leaf::none;
    bool flat = false;  ///< the stack is never full
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
#ifdef KIT_CPU
    if (!asked.by_threads) kit::cpu::set_kernel_time_limit(2);
    for (const kit::Diagnosis diagnosis : {kit::Diagnosis::timeout, kit::Diagnosis::uninitialised,
                                           kit::Diagnosis::barrier, kit::Diagnosis::out_of_bounds})
        if (!asked.by_threads)
            test.explain(diagnosis, [leaf = asked.leaf](const kit::facts::Finding& found) {
                return cause_of(found, leaf);
            });
#endif
    if (asked.counted) {
        const kit::Counts loads = test.counts(run);
        test.expect(counts, want);
        if (!loads.counted) return;
        Visits visits;
        for (const Box& box : asked.boxes) visit(tree, box, 0, visits);
        // Allows twice the words of a cell, which all lanes may read, of its 8 children, and 3 words of each point.
        constexpr std::uint64_t cell = sizeof(nested::Node) / 4;
        const std::uint64_t most =
            2 * 40 * cell * visits.cells + 2 * 3 * 32 * visits.rounds + 32 * 16 * asked.boxes.size();
        test.demand("loads", kit::at_most(loads.loads.lanes, most),
                    kit::count_of(loads.loads.lanes, "load") + " by threads, but " + std::to_string(most) +
                        " are enough for the " + kit::count_of(visits.cells, "cell") +
                        " that meet a box and their points: skip cells that do not meet the box, and let the "
                        "lanes test different points");
        // A single lane would need 32 times as many loads.
        const std::uint64_t requests = 64 * visits.cells + 8 * visits.rounds + 32 * asked.boxes.size();
        if (asked.leaf == Leaf::none) return;
        test.demand("loads", kit::at_most(loads.loads.requests, requests),
                    kit::count_of(loads.loads.requests, "load") + " by warps, but " +
                        std::to_string(requests) + " are enough for " + std::to_string(visits.rounds) +
                        " groups of 32 points: let the lanes test 32 points at a time" + kit::task(2));
        return;
    }
    const bool wrong_before = earlier->of_flat_trees;
    earlier->of_flat_trees = wrong_before || asked.flat;  // until this case has passed
    const Did did = counted_call(test, run);
    const std::vector<int> got = counts.values();
    if (got == want) {
        earlier->of_flat_trees = wrong_before;
    } else if (!asked.by_threads) {
        const bool all_written = std::none_of(got.begin(), got.end(), kit::detail::is_poison<int>);
        if (asked.leaf != Leaf::none && earlier->wrong == Wrong::nothing && all_written) {
            bool by_all_lanes = true;
            for (std::size_t k = 0; k < got.size(); ++k)
                by_all_lanes = by_all_lanes && got[k] == 32 * want[k];
            earlier->wrong = asked.leaf == Leaf::of_32_points && !by_all_lanes ? Wrong::sum : Wrong::search;
        }
        test.check(earlier->wrong == Wrong::nothing, in_words(earlier->wrong));
    }
    test.expect(counts, want);
    if (asked.by_threads) return;
    judge_threads(test, did, asked.blocks, kit::named_task(1));
    judge_claims(test, did, asked.boxes.size(), 1,
                 static_cast<std::uint64_t>(asked.blocks) * (work_queues::kBlock / work_queues::kLanes),
                 "each box", kit::named_task(4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "stack_traversal", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::uninitialised, kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(4, {kit::Diagnosis::not_written});
    grader.task(4, kit::About().on("counts").diagnosis(kit::Diagnosis::race));
    for (const int task : {2, 3}) {
        grader.task(task, kit::About().demand("loads"));
        grader.task(task,
                    kit::About().on("stacks").position(
                        kit::facts::Memory::Position::after));  // a full stack: this cell had to be searched
    }
    // Each box contains one point, so only one lane has a hit.
    grader.add("one cell of 32 points", [](kit::Case& test) {
        const std::vector<float3> points = uniform(test.random(), 32);
        std::vector<Box> boxes = {everything};
        for (const float3& p : points) boxes.push_back({p, p});
        judge(test, nested_test::build_octree(points, 32),
              {boxes, 1, false, false, Leaf::of_32_points, true});
    });
    for (const int first : {0, 40}) {
        grader.add(
            first ? "one cell of 150 points, which begins at point 40" : "one cell of 150 points",
            [first](kit::Case& test) {
                const std::vector<float3> points = uniform(test.random(), 150);
                HostOctree tree = nested_test::build_octree(points, 150);
                tree.nodes[0].first = first;
                tree.points.insert(tree.points.begin(), static_cast<std::size_t>(first), float3{-5, -5, -5});
                judge(test, tree, {boxes_of(test.random(), points, 9), 1, false, false, Leaf::larger, true});
            });
    }
    for (const int n : {0, 1, 33, 700, 4001}) {
        grader.add("random points, n=" + std::to_string(n), [n](kit::Case& test) {
            const std::vector<float3> points = uniform(test.random(), n);
            std::vector<Box> boxes = boxes_of(test.random(), points, 37);
            boxes.push_back(everything);
            boxes.push_back(nothing);
            judge(test, nested_test::build_octree(points, 16), {boxes, 1, false, false, Leaf::none, true});
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
    grader.add("one cell of 600 points, loads, counted", [](kit::Case& test) {
        const HostOctree tree = nested_test::build_octree(uniform(test.random(), 600), 600);
        judge(test, tree, {std::vector<Box>(12, everything), 1, false, true, Leaf::larger, true});
    });
    grader.add("given: by threads", [](kit::Case& test) {
        const std::vector<float3> points = corner_heaps(test.random(), false, 6);
        judge(test, nested_test::build_octree(points, 16), {boxes_of(test.random(), points, 40), 1, true});
    });
    error_handling::check_failing_calls(grader, argc, argv, {"random points, n=33"});
    return grader.run();
}
