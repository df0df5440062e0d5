// Shared by the tests of attention and fused_attention: the reference in double, and the results of known mistakes.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "21_attention/21_attention.hpp"
#include "grader.cuh"

namespace attention_test {

using attention::Shape;

inline std::size_t product(int a, int b, int c = 1, int d = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
           static_cast<std::size_t>(d);
}

inline std::string name_of(const Shape& shape) {
    const auto times = [](int number) { return std::to_string(number) + " x "; };
    return times(shape.batch) + times(shape.heads) + times(shape.queries) + times(shape.keys) +
           std::to_string(shape.size);
}

/// The arrays of one attention, on the host.
struct Arrays {
    std::vector<float> q, k, v;
};

inline Arrays random_arrays(kit::Random& random, const Shape& shape) {
    const std::size_t queries = product(shape.batch, shape.heads, shape.queries, shape.size);
    const std::size_t keys = product(shape.batch, shape.heads, shape.keys, shape.size);
    return {kit::uniform<float>(random, queries, -2, 2), kit::uniform<float>(random, keys, -2, 2),
            kit::uniform<float>(random, keys, -1, 1)};
}

inline kit::Tolerance tolerance() {
    return kit::tolerance(1e-4, 1e-4);
}

/// One query with its keys: pointers to the first element of each.
struct One {
    const float *q, *k, *v;
    int keys, size;

    double score(int key, double scale) const {
        double sum = 0;
        for (int d = 0; d < size; ++d)
            sum += double(q[d]) * k[product(key, size) + static_cast<std::size_t>(d)];
        return sum * scale;
    }
};

/// Returns the weights of a query.
inline std::vector<double> weights_of(const One& one, double scale) {
    std::vector<double> weights;
    double maximum = -INFINITY, sum = 0;
    for (int key = 0; key < one.keys; ++key) {
        weights.push_back(one.score(key, scale));
        maximum = std::max(maximum, weights.back());
    }
    for (double& weight : weights) sum += weight = std::exp(weight - maximum);
    for (double& weight : weights) weight /= sum;
    return weights;
}

/// Returns the output of a query, if the weights are those of the keys.
inline std::vector<float> output_of(const One& one, const std::vector<double>& weights) {
    std::vector<double> sum(static_cast<std::size_t>(one.size), 0);
    for (int key = 0; key < one.keys; ++key)
        for (int d = 0; d < one.size; ++d)
            sum[static_cast<std::size_t>(d)] += weights[static_cast<std::size_t>(key)] *
                                                one.v[product(key, one.size) + static_cast<std::size_t>(d)];
    return std::vector<float>(sum.begin(), sum.end());
}

/// The keys at the positions `first` to end - 1.
struct Range {
    int first, end;
};

inline double scale_of(const Shape& shape) {
    return 1 / std::sqrt(double(shape.size));
}

/// Calls `output` for each query in the order of the outputs, and returns all outputs. `keys` returns the keys that a query uses, as a Range.
template <class Keys, class Output>
std::vector<float> each_query(const Shape& shape, const Arrays& arrays, const Keys& keys,
                              const Output& output) {
    std::vector<float> all;
    for (int head = 0; head < shape.batch * shape.heads; ++head) {
        for (int query = 0; query < shape.queries; ++query) {
            const Range range = keys(head / shape.heads, query);
            const std::size_t first =
                product(head, shape.keys, shape.size) + product(range.first, shape.size);
            const One one = {arrays.q.data() + product(head * shape.queries + query, shape.size),
                             arrays.k.data() + first, arrays.v.data() + first, range.end - range.first,
                             shape.size};
            const std::vector<float> values = output(one);
            all.insert(all.end(), values.begin(), values.end());
        }
    }
    return all;
}

}  // namespace attention_test
