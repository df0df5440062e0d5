// Shared by the tests of softmax and online_softmax: inputs, the reference, and the weights of a known mistake.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "21_attention/21_attention.hpp"
#include "grader.cuh"

namespace attention_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// What the inputs of a case have.
enum class Inputs {
    ordinary,  ///< -4 to 4
    large,     ///< near 1000: exp() of them overflows
    small,     ///< near -1000: exp() of them is 0
    masked,    ///< -4 to 4, and about half of them -inf: all of row 1, the first ones of the other rows
};

struct Rows {
    int rows, columns;
    Inputs inputs = Inputs::ordinary;

    std::string name() const {
        const char* const kinds[] = {"", ", inputs near 1000", ", inputs near -1000", ", some inputs -inf"};
        return std::to_string(rows) + " x " + std::to_string(columns) + kinds[static_cast<int>(inputs)];
    }
};

inline std::vector<float> inputs_of(kit::Random& random, const Rows& shape) {
    const double centre = shape.inputs == Inputs::large ? 1000 : shape.inputs == Inputs::small ? -1000 : 0;
    std::vector<float> in =
        kit::uniform<float>(random, elements(shape.rows, shape.columns), centre - 4, centre + 4);
    if (shape.inputs != Inputs::masked) return in;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t columns = static_cast<std::size_t>(shape.columns);
        const std::size_t row = i / columns, column = i % columns;
        if (row == 1 || column < columns / 3 || random.next() % 4 == 0) in[i] = -kInfinity;
    }
    return in;
}

/// Returns the weights of one row, computed in double.
inline std::vector<float> weights_of(const float* row, int columns) {
    double maximum = -kInfinity, sum = 0;
    for (int i = 0; i < columns; ++i) maximum = std::max(maximum, double(row[i]));
    if (maximum == -kInfinity) return std::vector<float>(static_cast<std::size_t>(columns), 0.0f);
    for (int i = 0; i < columns; ++i) sum += std::exp(row[i] - maximum);
    std::vector<float> weights;
    for (int i = 0; i < columns; ++i) weights.push_back(static_cast<float>(std::exp(row[i] - maximum) / sum));
    return weights;
}

/// Returns what `weights` returns for each row, one row after another.
inline std::vector<float> each_row(const std::vector<float>& in, const Rows& shape,
                                   const std::function<std::vector<float>(const float*, int)>& weights) {
    std::vector<float> all;
    all.reserve(in.size());
    for (int row = 0; row < shape.rows; ++row) {
        const std::vector<float> one = weights(in.data() + elements(row, shape.columns), shape.columns);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

inline kit::Tolerance tolerance() {
    return kit::tolerance(1e-6, 1e-4);
}

/// Where a softmax of rows can fail: the tasks that verdicts name.
struct Tasks {
    int maximum, sum, weights;
};

/// Explains NaN by the inputs of the case. Returns whether there was one.
inline bool explain_nan(kit::Case& test, const std::vector<float>& got, const Rows& shape,
                        const Tasks& tasks) {
    const bool has_nan = std::any_of(
        got.begin(), got.end(), [](float one) { return std::isnan(one) && !kit::detail::is_poison(one); });
    if (!has_nan || shape.inputs == Inputs::ordinary) return false;
    const auto fail = [&](const kit::Said& why) {
        test.fail(kit::Diagnosis::nan, kit::subject("out") + " has NaN" + why);
    };
    if (shape.inputs == Inputs::large)
        fail(
            ", because exp() of an input near 1000 is infinite: subtract the maximum of the row from each "
            "input first" +
            kit::task(tasks.sum));
    if (shape.inputs == Inputs::small)
        fail(
            ", because all exponentials of a row with inputs near -1000 are 0: with the largest input "
            "subtracted, one of them is 1" +
            kit::task(tasks.maximum));
    if (shape.inputs == Inputs::masked)
        fail(" in a row with inputs of -inf. -inf minus -inf is NaN, and so is 0 / 0" +
             (tasks.sum == tasks.weights ? kit::task(tasks.sum) : kit::task(tasks.sum, tasks.weights)));
    return true;
}

}  // namespace attention_test
