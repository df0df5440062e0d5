// The parts of the demo that only call the solutions and the given versions: sparse products, sorting, searching.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "contest.hpp"
#include "grader/inputs.hpp"
#include "octree_by_morton.hpp"
#include "octree_levels.hpp"
#ifndef KIT_CPU
#include <cub/device/device_radix_sort.cuh>
#endif

namespace contest {

using kit::DeviceBuffer;

// ---- spmv -----------------------------------------------------------------------------------------------

struct Matrix {
    std::string kind, title;
    std::vector<int> row_start = {0}, column;
    int dense = 0, longest = 0;
};

inline Matrix make_matrix(const std::string& kind, const std::string& title, int rows) {
    kit::Random random(16);
    Matrix m;
    m.kind = kind;
    m.title = title;
    for (int row = 0; row < rows; ++row) {
        int length = 32;
        if (kind == "power") length = static_cast<int>(std::min(2 / (random.unit() + 5e-5), rows * 0.4));
        // Blocks have 16 rows; one block in every 12500 rows has 512.
        if (kind == "block") length = row % 12500 < 512 ? 512 : 16;
        for (int k = 0; k < length; ++k)
            m.column.push_back(kind == "block" ? std::min(row / length * length + k, rows - 1)
                                               : static_cast<int>(random.integer(0, rows - 1)));
        m.row_start.push_back(static_cast<int>(m.column.size()));
        m.dense += length > nested::kDense;
        m.longest = std::max(m.longest, length);
    }
    return m;
}

/// A matrix on the device, a vector, and the result. The values are small integers, so sums are exact in any order.
struct Product {
    std::string title;
    std::vector<float> want;
    DeviceBuffer<int> starts, columns;
    DeviceBuffer<float> values, x;
    mutable DeviceBuffer<float> y;
    mutable DeviceBuffer<int> list;
    nested::Csr a;

    explicit Product(const Matrix& m) : starts(m.row_start), columns(m.column) {
        const int rows = static_cast<int>(m.row_start.size()) - 1;
        kit::Random random(16);
        const std::vector<float> entries = kit::integers<float>(random, m.column.size(), -3, 3),
                                 vector = kit::integers<float>(random, static_cast<std::size_t>(rows), -3, 3);
        for (int row = 0; row < rows; ++row) {
            float sum = 0;
            for (auto k = static_cast<std::size_t>(m.row_start[row]);
                 k < static_cast<std::size_t>(m.row_start[row + 1]); ++k)
                sum += entries[k] * vector[static_cast<std::size_t>(m.column[k])];
            want.push_back(sum);
        }
        title =
            m.title + ": " + std::to_string(rows) + " rows, " + std::to_string(m.column.size()) + " entries";
        values = DeviceBuffer<float>(entries);
        x = DeviceBuffer<float>(vector);
        y = DeviceBuffer<float>(want.size());
        list = DeviceBuffer<int>(want.size() + 1);
        a = {rows, starts.data(), columns.data(), values.data()};
    }

    std::function<bool(long long)> right() const {
        return [this](long long) {
            const bool same = y.to_vector() == want;
            CUDA_CHECK(cudaMemset(y.data(), 0xff, y.bytes()));
            return same;
        };
    }

    Work work() const {
        Work work;
        work.n = a.rows;
        work.bytes = 8.0 * static_cast<double>(columns.size()) + 12.0 * a.rows;  // entries; starts, x, y
        return work;
    }

    std::vector<Version> in_four_ways() const {
        return {
            {"v1", "one thread per row", "",
             [this](long long) { nested::spmv_thread_per_row(a, x.data(), y.data()); }, right()},
            {"v2", "one warp per row", "32 lanes share a row, and read side by side.",
             [this](long long) { nested::spmv_warp_per_row(a, x.data(), y.data()); }, right()},
            {"v3", "children for dense rows",
             "Like v1, but a thread launches 256 threads for a row of more than 256 entries.",
             [this](long long) { nested::adaptive_spmv(a, x.data(), y.data()); }, right()},
            {"v4", "a list of dense rows",
             "Like v3, but these rows go to a list; a second kernel of fixed size takes them from it.",
             [this](long long) { nested::spmv_two_kernels(a, x.data(), y.data(), list.data()); }, right()}};
    }
};

inline void multiply_in_four_ways(Demo& demo, const Matrix& m) {
    const Product product(m);
    run(demo, "spmv_" + m.kind, "sparse product, " + product.title, product.work(), product.in_four_ways());
}

inline void show_spmv(Demo& demo) {
    const std::pair<const char*, const char*> kinds[] = {
        {"uniform", "uniform rows"}, {"power", "power law"}, {"block", "block diagonal"}};
    std::vector<Matrix> matrices;
    for (const auto& [kind, title] : kinds)
        if (demo.part(std::string("spmv_") + kind))
            matrices.push_back(make_matrix(kind, title, std::max(16, static_cast<int>(demo.n() / 10))));
    if (matrices.empty()) return;
    demo.table("matrices", "three kinds of sparse matrix", {"matrix", 14},
               {{"rows"}, {"entries"}, {"longest_row"}, {"dense_rows"}});
    for (const Matrix& m : matrices)
        demo.row(m.kind, m.title, {m.row_start.size() - 1, m.column.size(), m.longest, m.dense});
    for (const Matrix& m : matrices) multiply_in_four_ways(demo, m);
}

// ---- sort -----------------------------------------------------------------------------------------------

/// Values to sort, and the expected result.
struct Pattern {
    std::string name, what;
    DeviceBuffer<int> in;
    std::vector<int> want;

    Pattern(const char* id, const char* words, std::vector<int> values) : name(id), what(words), in(values) {
        std::sort(values.begin(), values.end());
        want = std::move(values);
    }
};

inline std::vector<Pattern> make_patterns(std::size_t n) {
    kit::Random random(16);
    const std::vector<int> shuffled = kit::integers<int>(random, n, -2000000000, 2000000000);
    std::vector<int> sorted = shuffled, pipe(n);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n; ++i) pipe[i] = static_cast<int>(std::min(i, n - 1 - i));
    std::vector<Pattern> all;
    all.emplace_back("rand", "random values", shuffled);
    all.emplace_back("asc", "sorted already", sorted);
    all.emplace_back("desc", "sorted the other way", std::vector<int>(sorted.rbegin(), sorted.rend()));
    all.emplace_back("pipe", "up, then down", pipe);
    all.emplace_back("two", "only two different values", kit::integers<int>(random, n, 6, 7));
    all.emplace_back("same", "all equal", std::vector<int>(n, 4));
    return all;
}

inline void show_sorts(Demo& demo) {
    if (!demo.part("sort") && !demo.part("radix")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    const std::vector<Pattern> patterns = make_patterns(n);
    DeviceBuffer<int> out(n), scratch(n);
    const auto right = [&](const Pattern& pattern) {
        return [&](long long) {
            const bool same = out.to_vector() == pattern.want;
            out.clear();
            return same;
        };
    };
    std::vector<Version> by_launches, by_library;
    for (const Pattern& pattern : patterns) {
        by_launches.push_back({pattern.name, pattern.what, "",
                               [&](long long) {
                                   CUDA_CHECK(cudaMemcpyAsync(out.data(), pattern.in.data(), out.bytes(),
                                                              cudaMemcpyDeviceToDevice));
                                   nested::quicksort(out.data(), static_cast<int>(n), scratch.data());
                               },
                               right(pattern)});
    }
#ifndef KIT_CPU
    std::size_t bytes = 0;
    CUDA_CHECK(
        cub::DeviceRadixSort::SortKeys(nullptr, bytes, scratch.data(), out.data(), static_cast<int>(n)));
    DeviceBuffer<char> space(bytes);
    for (const Pattern& pattern : patterns) {
        by_library.push_back({pattern.name, pattern.what, "",
                              [&](long long) {
                                  CUDA_CHECK(cub::DeviceRadixSort::SortKeys(space.data(), bytes,
                                                                            pattern.in.data(), out.data(),
                                                                            static_cast<int>(n)));
                              },
                              right(pattern)});
    }
    Version mark = by_library.front();
    mark.id = "cub";
    mark.name = "CUB radix sort, random";
    mark.library = true;
    by_launches.push_back(mark);
#endif
    Work work;
    work.n = demo.n();
    work.repetitions = 11;
    const std::string values = std::to_string(n) + " values";
    run(demo, "sort", "quicksort by launches: " + values, work, by_launches);
    if (!by_library.empty()) run(demo, "radix", "CUB DeviceRadixSort: " + values, work, by_library);
}

// ---- octree ---------------------------------------------------------------------------------------------

struct Query {
    std::string name, title;
    const nested_test::HostOctree* tree;
    nested::Box box;
    std::vector<int> hits;
};

inline Query make_query(const char* name, const char* title, const nested_test::HostOctree& tree, float3 c,
                        float half) {
    Query query = {
        name, title, &tree, {{c.x - half, c.y - half, c.z - half}, {c.x + half, c.y + half, c.z + half}}, {}};
    for (std::size_t i = 0; i < tree.points.size(); ++i)
        if (nested_test::lies_in(query.box, tree.points[i])) query.hits.push_back(static_cast<int>(i));
    return query;
}

inline void search_in_all_ways(Demo& demo, const Query& query) {
    const std::vector<int>& want = query.hits;
    const DeviceBuffer<nested::Node> nodes(query.tree->nodes);
    const DeviceBuffer<float3> points(query.tree->points);
    DeviceBuffer<int> found(points.size()), count(1), lists(2 * nodes.size()), numbers(3);
    found.clear();
    const nested::Octree tree = {nodes.data(), points.data(), static_cast<int>(nodes.size()),
                                 static_cast<int>(points.size())};
    const nested::Found answer = {found.data(), static_cast<int>(found.size()), count.data()};
    const nested::Box box = query.box;
    const auto right = [&](long long) {
        if (count.to_vector()[0] != static_cast<int>(want.size())) return false;
        std::vector<int> got = found.to_vector();
        got.resize(want.size());
        std::sort(got.begin(), got.end());
        found.clear();
        count.clear();
        return got == want;
    };
    run(demo, "octree_" + query.name,
        query.title + ": " + std::to_string(want.size()) + " of " + std::to_string(points.size()) + " points",
        by_host_clock(tree.point_count, 101),
        {{"v1", "host-driven, level by level", "The host reads how many cells the next level has.",
          [&](long long) { nested::octree_host_driven(tree, box, answer, lists.data(), numbers.data()); },
          right},
         {"v2", "recursive, children", "A kernel per visited cell, launched by that of the cell above.",
          [&](long long) { nested::octree_query(tree, box, answer); }, right},
         {"v3", "persistent, queue", "One grid, whose warps take cells from a queue.",
          [&](long long) { nested::octree_persistent(tree, box, answer, lists.data(), numbers.data()); },
          right},
         {"v4", "brute force, every point", "No tree.",
          [&](long long) { nested::octree_brute_force(tree, box, answer); }, right},
         {"levels", "level by level, grid.sync()", "As v1, but the blocks stay and meet after each level.",
          [&](long long) { octree_by_levels(tree, box, answer, lists.data(), numbers.data()); }, right}});
}

inline void show_octree(Demo& demo) {
    const auto n = static_cast<std::size_t>(demo.n());
    kit::Random random(16);
    nested_test::HostOctree even, crowd;
    std::vector<Query> queries;
    if (demo.part("octree_small") || demo.part("octree_large"))
        even = morton::build(morton::uniform_points(10 * n, random));
    if (demo.part("octree_deep")) crowd = morton::build(morton::crowded_points(n, random));
    if (demo.part("octree_small"))
        queries.push_back(
            make_query("small", "a box of 0.1 in even points", even, {0.4f, 0.5f, 0.6f}, 0.05f));
    if (demo.part("octree_large"))
        queries.push_back(
            make_query("large", "a box of 0.3 in even points", even, {0.4f, 0.5f, 0.6f}, 0.15f));
    if (demo.part("octree_deep"))
        queries.push_back(
            make_query("deep", "a box of 0.0002 in a crowd", crowd, {0.3f, 0.3f, 0.3f}, 0.0001f));
    if (queries.empty()) return;
    demo.table("queries", "trees, and what a search must look at", {"query", 27},
               {{"points"}, {"cells", 0, 8}, {"depth", 0, 3}, {"visited_cells", 0, 7}, {"hits", 0, 8}});
    for (const Query& query : queries)
        demo.row(query.name, query.title,
                 {query.tree->points.size(), query.tree->nodes.size(), query.tree->depth,
                  morton::visited(*query.tree, query.box), query.hits.size()});
    for (const Query& query : queries) search_in_all_ways(demo, query);
}

}  // namespace contest
