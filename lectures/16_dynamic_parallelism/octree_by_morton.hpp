// Builds a large octree quickly on the host: sorts the points along a Morton curve, on which the points of every cell are
// contiguous, and then only searches for the ends of the cells.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "16_dynamic_parallelism/octree.hpp"
#include "grader/inputs.hpp"

namespace morton {

constexpr int kDepth = 10;  // levels below the root, that is, bits of each coordinate in a key

/// Returns the 10 bits of v with two zeros between neighbours.
inline std::uint32_t spread(std::uint32_t v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

/// Returns the position of a point of the unit cube on the curve: three bits per level, the octant x + 2 y + 4 z.
inline std::uint32_t key_of(float3 p) {
    const auto cell = [](float x) {
        return spread(static_cast<std::uint32_t>(
            std::clamp(static_cast<int>(x * (1 << kDepth)), 0, (1 << kDepth) - 1)));
    };
    return cell(p.x) | cell(p.y) << 1 | cell(p.z) << 2;
}

/// Calls work(0) ... work(511), on all cores.
template <class Function>
void for_each_part(Function work) {
    std::atomic<int> next = 0;
    const auto take = [&] {
        for (int part = next++; part < 512; part = next++) work(static_cast<std::size_t>(part));
    };
#ifdef KIT_CPU  // there are few points, and the executor checks host code, too
    take();
#else
    std::vector<std::thread> helpers;
    for (unsigned int i = 1; i < std::min(16u, std::thread::hardware_concurrency()); ++i)
        helpers.emplace_back(take);
    take();
    for (std::thread& helper : helpers) helper.join();
#endif
}

/// Sorts the points by their keys, and returns the keys. Sorts into 512 parts by the upper 9 bits first, then sorts each part,
/// because a part fits into a cache.
inline std::vector<std::uint32_t> sort_by_key(std::vector<float3>& points) {
    constexpr int rest = 3 * kDepth - 9;
    std::vector<std::size_t> ends(512 + 1);
    for (const float3 p : points) ++ends[(key_of(p) >> rest) + 1];
    for (std::size_t part = 0; part < 512; ++part) ends[part + 1] += ends[part];
    std::vector<float3> parted(points.size());
    for (const float3 p : points) parted[ends[key_of(p) >> rest]++] = p;

    std::vector<std::uint32_t> keys(points.size());
    for_each_part([&](std::size_t part) {
        const std::size_t first = part == 0 ? 0 : ends[part - 1];
        std::vector<std::uint64_t> order(ends[part] - first);  // keys, with positions in the lower bits
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<std::uint64_t>(key_of(parted[first + i])) << 32 | i;
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size(); ++i) {
            keys[first + i] = static_cast<std::uint32_t>(order[i] >> 32);
            points[first + i] = parted[first + (order[i] & 0xffffffffu)];
        }
    });
    return keys;
}

/// Like nested_test::build_octree, for points of the unit cube and cubes of half, a quarter, ... of it.
inline nested_test::HostOctree build(std::vector<float3> points, int leaf = 64) {
    const std::vector<std::uint32_t> keys = sort_by_key(points);
    nested_test::HostOctree tree;
    tree.points = std::move(points);
    tree.nodes.push_back({{}, 0, 0, static_cast<int>(tree.points.size())});
    std::vector<std::pair<int, int>> open = {{0, 0}};  // cells to visit, and their depths
    while (!open.empty()) {
        const auto [cell, depth] = open.back();
        open.pop_back();
        tree.depth = std::max(tree.depth, depth);
        const nested::Node node = tree.nodes[static_cast<std::size_t>(cell)];
        if (node.count <= leaf || depth == kDepth) continue;
        tree.nodes[static_cast<std::size_t>(cell)].first_child = static_cast<int>(tree.nodes.size());
        const int shift = 3 * (kDepth - 1 - depth);
        const std::uint32_t above = keys[static_cast<std::size_t>(node.first)] >> (shift + 3) << 3;
        auto first = keys.begin() + node.first;
        const auto last = first + node.count;
        for (std::uint32_t octant = 0; octant < 8; ++octant) {
            const auto end = std::lower_bound(first, last, (above + octant + 1) << shift);
            open.emplace_back(static_cast<int>(tree.nodes.size()), depth + 1);
            tree.nodes.push_back(
                {{}, 0, static_cast<int>(first - keys.begin()), static_cast<int>(end - first)});
            first = end;
        }
    }

    // A cell precedes the cells below it, so a loop from the end visits those first.
    for (auto cell = tree.nodes.rbegin(); cell != tree.nodes.rend(); ++cell) {
        nested::Box box = nested_test::bounds_of(nullptr, 0);
        if (cell->first_child == 0)
            box = nested_test::bounds_of(tree.points.data() + cell->first, cell->count);
        for (int below = cell->first_child; below != 0 && below < cell->first_child + 8; ++below) {
            const nested::Box part = tree.nodes[static_cast<std::size_t>(below)].bounds;
            box.low = {std::min(box.low.x, part.low.x), std::min(box.low.y, part.low.y),
                       std::min(box.low.z, part.low.z)};
            box.high = {std::max(box.high.x, part.high.x), std::max(box.high.y, part.high.y),
                        std::max(box.high.z, part.high.z)};
        }
        cell->bounds = box;
    }
    return tree;
}

/// Returns points that are spread evenly over the unit cube.
inline std::vector<float3> uniform_points(std::size_t count, kit::Random& random) {
    std::vector<float3> points(count);
    for (float3& p : points) {
        const std::uint64_t bits = random.next();  // 21 of them for each coordinate
        const auto unit = [bits](int shift) {
            return static_cast<float>(bits >> shift & 0x1fffff) * 0x1p-21f;
        };
        p = {unit(0), unit(21), unit(42)};
    }
    return points;
}

/// Returns points that crowd around (0.3, 0.3, 0.3), so that about a thousand of them share a cell of level 9. The tree must
/// have level 10 there.
inline std::vector<float3> crowded_points(std::size_t count, kit::Random& random) {
    // count * (r / 0.3)^power points are within r of the centre. The cell of level 9 reaches at least 0.8 / 1024.
    const double power =
        std::max(0.05, std::log(static_cast<double>(count) / 1000) / std::log(0.3 * 1024 / 0.8));
    std::vector<float3> points = uniform_points(count, random);
    for (float3& p : points) {
        const float3 d = {p.x - 0.5f, p.y - 0.5f, p.z - 0.5f};
        const float far = std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z), 1e-9f});
        const float scale = 0.3f * static_cast<float>(std::pow(random.unit(), 1 / power)) / far;
        p = {0.3f + d.x * scale, 0.3f + d.y * scale, 0.3f + d.z * scale};
    }
    return points;
}

/// Returns the number of cells that a search through the tree visits.
inline int visited(const nested_test::HostOctree& tree, const nested::Box& box) {
    const auto meets = [&box](const nested::Box& b) {
        return b.low.x <= box.high.x && box.low.x <= b.high.x && b.low.y <= box.high.y &&
               box.low.y <= b.high.y && b.low.z <= box.high.z && box.low.z <= b.high.z;
    };
    int count = 0;
    std::vector<int> open = {0};
    while (!open.empty()) {
        const nested::Node cell = tree.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        ++count;
        if (cell.first_child == 0 || cell.count <= nested::kSearch) continue;
        for (int below = cell.first_child; below < cell.first_child + 8; ++below) {
            const nested::Node& next = tree.nodes[static_cast<std::size_t>(below)];
            if (next.count > 0 && meets(next.bounds)) open.push_back(below);
        }
    }
    return count;
}

}  // namespace morton
