// Graphs for tail_loop, and for while_node of topic 17: each vertex gets the smallest vertex that it is connected to. Provides edges and
// the expected labels.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "grader.cuh"

namespace connected_test {

/// Returns for each vertex from 0 to n - 1 the smallest vertex that it is connected to.
template <class Edge>
std::vector<int> least_labels(int n, const std::vector<Edge>& edges) {
    std::vector<int> label(static_cast<std::size_t>(n));
    std::iota(label.begin(), label.end(), 0);
    const auto root = [&](int v) {
        while (label[static_cast<std::size_t>(v)] != v) v = label[static_cast<std::size_t>(v)];
        return v;
    };
    for (const Edge& edge : edges) {
        const int a = root(edge.a), b = root(edge.b);
        label[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    for (int v = 0; v < n; ++v) label[static_cast<std::size_t>(v)] = root(v);
    return label;
}

/// Edge is a structure of two vertices, a and b.
template <class Edge>
struct Edges {
    /// Connects all n vertices in a row, in random order.
    static std::vector<Edge> path(kit::Random& random, int n) {
        const std::vector<int> order = kit::permutation<int>(random, static_cast<std::size_t>(n));
        std::vector<Edge> edges;
        for (int i = 0; i + 1 < n; ++i)
            edges.push_back({order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + 1)]});
        return edges;
    }

    /// Returns m edges between any two of n vertices, which may be the same vertex.
    static std::vector<Edge> random(kit::Random& random, int n, int m) {
        std::vector<Edge> edges(static_cast<std::size_t>(m));
        for (Edge& edge : edges)
            edge = {static_cast<int>(random.integer(0, n - 1)), static_cast<int>(random.integer(0, n - 1))};
        return edges;
    }
};

}  // namespace connected_test
