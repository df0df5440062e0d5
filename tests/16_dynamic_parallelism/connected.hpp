// Graphs whose vertices find the least of those that they are connected with, and the answer: for tail_loop, and for while_node of
// topic 17.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "grader.cuh"

namespace connected_test {

/// Each vertex from 0 to n - 1 gets the least that it is connected with.
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

/// Edge: a structure of two vertices, a and b.
template <class Edge>
struct Edges {
    /// All n vertices in a row, in any order.
    static std::vector<Edge> path(kit::Random& random, int n) {
        const std::vector<int> order = kit::permutation<int>(random, static_cast<std::size_t>(n));
        std::vector<Edge> edges;
        for (int i = 0; i + 1 < n; ++i)
            edges.push_back({order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + 1)]});
        return edges;
    }

    /// m edges between any two of n vertices, which may be the same.
    static std::vector<Edge> random(kit::Random& random, int n, int m) {
        std::vector<Edge> edges(static_cast<std::size_t>(m));
        for (Edge& edge : edges)
            edge = {static_cast<int>(random.integer(0, n - 1)), static_cast<int>(random.integer(0, n - 1))};
        return edges;
    }
};

}  // namespace connected_test
