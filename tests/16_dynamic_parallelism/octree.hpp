// Builds octrees on the host, for the test of octree_query and for the demo.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"

namespace nested_test {

/// The nodes and points of an octree, in the order of the contract.
struct HostOctree {
    std::vector<nested::Node> nodes;
    std::vector<float3> points;
    int depth = 0;
};

inline nested::Box bounds_of(const float3* points, int count) {
    nested::Box box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    for (int i = 0; i < count; ++i) {
        box.low = {std::min(box.low.x, points[i].x), std::min(box.low.y, points[i].y),
                   std::min(box.low.z, points[i].z)};
        box.high = {std::max(box.high.x, points[i].x), std::max(box.high.y, points[i].y),
                    std::max(box.high.z, points[i].z)};
    }
    return box;
}

/// Divides cubes into eight until they hold at most `leaf` points or are `deepest` levels down, because equal points cannot be divided.
inline HostOctree build_octree(std::vector<float3> points, int leaf = 64, int deepest = 12) {
    HostOctree tree;
    tree.points = std::move(points);
    const int n = static_cast<int>(tree.points.size());
    const nested::Box all = bounds_of(tree.points.data(), n);
    struct Cube {
        int node;
        float3 center;
        float half;
        int depth;
    };
    tree.nodes.push_back({all, 0, 0, n});
    const float3 middle = {(all.low.x + all.high.x) / 2, (all.low.y + all.high.y) / 2,
                           (all.low.z + all.high.z) / 2};
    const float half =
        n == 0 ? 0 : std::max({all.high.x - all.low.x, all.high.y - all.low.y, all.high.z - all.low.z}) / 2;
    std::vector<Cube> open = {{0, middle, half, 0}};
    std::vector<float3> sorted;
    while (!open.empty()) {
        const Cube cube = open.back();
        open.pop_back();
        tree.depth = std::max(tree.depth, cube.depth);
        const nested::Node node = tree.nodes[static_cast<std::size_t>(cube.node)];
        if (node.count <= leaf || cube.depth == deepest) continue;
        const auto octant = [&](float3 p) {
            return (p.x > cube.center.x) + 2 * (p.y > cube.center.y) + 4 * (p.z > cube.center.z);
        };
        float3* const begin = tree.points.data() + node.first;
        int sizes[8] = {};
        for (int i = 0; i < node.count; ++i) ++sizes[octant(begin[i])];
        int starts[8] = {};
        for (int o = 1; o < 8; ++o) starts[o] = starts[o - 1] + sizes[o - 1];
        sorted.resize(static_cast<std::size_t>(node.count));
        int next[8];
        std::copy(starts, starts + 8, next);
        for (int i = 0; i < node.count; ++i)
            sorted[static_cast<std::size_t>(next[octant(begin[i])]++)] = begin[i];
        std::copy(sorted.begin(), sorted.end(), begin);
        const int first_child = static_cast<int>(tree.nodes.size());
        tree.nodes[static_cast<std::size_t>(cube.node)].first_child = first_child;
        const float quarter = cube.half / 2;
        for (int o = 0; o < 8; ++o) {
            tree.nodes.push_back(
                {bounds_of(begin + starts[o], sizes[o]), 0, node.first + starts[o], sizes[o]});
            const float3 center = {cube.center.x + (o & 1 ? quarter : -quarter),
                                   cube.center.y + (o & 2 ? quarter : -quarter),
                                   cube.center.z + (o & 4 ? quarter : -quarter)};
            open.push_back({first_child + o, center, quarter, cube.depth + 1});
        }
    }
    return tree;
}

inline bool lies_in(const nested::Box& box, float3 p) {
    return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
           box.low.z <= p.z && p.z <= box.high.z;
}

}  // namespace nested_test
