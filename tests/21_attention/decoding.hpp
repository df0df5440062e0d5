// Shared by the tests of decode_graph and decode_loop: the small model with random weights, and its reference in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "21_attention/21_attention.hpp"
#include "grader.cuh"

namespace attention_test {

using attention::kHidden;
using attention::kVocabulary;

using Vector = std::vector<double>;

/// The weights on the host.
struct Weights {
    std::vector<float> embedding, query, key, value, mix, output;

    explicit Weights(kit::Random& random)
        : embedding(kit::uniform<float>(random, kVocabulary * kHidden, -1, 1)),
          query(square(random)),
          key(square(random)),
          value(square(random)),
          mix(square(random)),
          output(kit::uniform<float>(random, kHidden * kVocabulary, -1, 1)) {}

  private:
    static std::vector<float> square(kit::Random& random) {
        return kit::uniform<float>(random, kHidden * kHidden, -0.6, 0.6);
    }
};

/// The weights in device memory.
struct DeviceModel {
    kit::Input<float> embedding, query, key, value, mix, output;

    DeviceModel(kit::Case& test, const Weights& weights)
        : embedding(test.input("model.embedding", weights.embedding)),
          query(test.input("model.query", weights.query)),
          key(test.input("model.key", weights.key)),
          value(test.input("model.value", weights.value)),
          mix(test.input("model.mix", weights.mix)),
          output(test.input("model.output", weights.output)) {}

    attention::Model get() const {
        return {embedding.data(), query.data(), key.data(), value.data(), mix.data(), output.data()};
    }
};

/// Returns the product of a vector and a matrix with kHidden rows and columns.
inline Vector times(const Vector& x, const std::vector<float>& matrix) {
    Vector product(kHidden, 0);
    for (std::size_t j = 0; j < kHidden; ++j)
        for (std::size_t i = 0; i < kHidden; ++i) product[i] += x[j] * matrix[j * kHidden + i];
    return product;
}

/// The keys and values of one sequence.
struct Sequence {
    std::vector<Vector> keys, values;

    std::size_t length() const { return keys.size(); }

    /// Appends a token, and returns the logits of the next one.
    Vector step(const Weights& weights, int token) {
        const auto row = weights.embedding.begin() + token * kHidden;
        const Vector x(row, row + kHidden), query = times(x, weights.query);
        keys.push_back(times(x, weights.key));
        values.push_back(times(x, weights.value));
        Vector scores;
        for (const Vector& key : keys) {
            double score = 0;
            for (std::size_t i = 0; i < kHidden; ++i) score += query[i] * key[i];
            scores.push_back(score / std::sqrt(1.0 * kHidden));
        }
        const double most = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        Vector weighted(kHidden, 0);
        for (std::size_t t = 0; t < keys.size(); ++t) {
            const double weight = std::exp(scores[t] - most);
            sum += weight;
            for (std::size_t i = 0; i < kHidden; ++i) weighted[i] += weight * values[t][i];
        }
        for (double& element : weighted) element /= sum;
        Vector hidden = times(weighted, weights.mix);
        for (std::size_t i = 0; i < kHidden; ++i) hidden[i] += x[i];
        return times(hidden, weights.output);
    }
};

inline int random_token(kit::Random& random) {
    return static_cast<int>(random.integer(0, kVocabulary - 1));
}

/// Returns a sequence that has `length` random tokens.
inline Sequence random_sequence(kit::Random& random, const Weights& weights, int length) {
    Sequence sequence;
    for (int t = 0; t < length; ++t) sequence.step(weights, random_token(random));
    return sequence;
}

/// Returns the keys and values of all slots for the device. Places without a token get a number that changes every result.
inline void fill_slots(const std::vector<Sequence>& sequences, int capacity, std::vector<float>& keys,
                       std::vector<float>& values) {
    constexpr float unused = 100;
    const auto slot = static_cast<std::size_t>(capacity * kHidden);
    keys.assign(sequences.size() * slot, unused);
    values.assign(sequences.size() * slot, unused);
    for (std::size_t s = 0; s < sequences.size(); ++s)
        for (std::size_t t = 0; t < sequences[s].length(); ++t)
            for (std::size_t i = 0; i < kHidden; ++i) {
                keys[s * slot + t * kHidden + i] = static_cast<float>(sequences[s].keys[t][i]);
                values[s * slot + t * kHidden + i] = static_cast<float>(sequences[s].values[t][i]);
            }
}

/// The accuracy that the contract allows, for logits, keys and values of the small model.
inline kit::Tolerance accuracy() {
    return kit::tolerance(1e-3, 1e-4);
}

}  // namespace attention_test
