// Shared by the tests in two dimensions: the reference, the cases, and the mistakes that can be recognized from the values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "05_convolution/05_convolution.hpp"
#include "05_convolution/one_dimension.hpp"

namespace convolution_test {

using Convolution2d = std::function<cudaError_t(const float* in, int rows, int columns, const float* mask,
                                                int width, float* out)>;

struct Image {
    int rows, columns;
    std::vector<float> values;

    std::size_t size() const { return values.size(); }
    kit::Shape shape() const { return {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}; }
};

inline Image make_image(kit::Random& random, int rows, int columns) {
    const std::size_t size = static_cast<std::size_t>(rows) * columns;
    return {rows, columns, kit::integers<float>(random, size, -100, 100)};
}

/// Computes the definition, accumulated in double. Element (centre, centre) of the mask lies over the output.
inline std::vector<float> reference(const Image& in, const std::vector<float>& mask, int width, int centre) {
    std::vector<float> out(in.size());
    for (int y = 0; y < in.rows; ++y) {
        for (int x = 0; x < in.columns; ++x) {
            double sum = 0;
            for (int p = 0; p < width; ++p) {
                const int row = y + p - centre;
                if (row < 0 || row >= in.rows) continue;
                for (int q = std::max(0, centre - x); q < std::min(width, in.columns - x + centre); ++q)
                    sum += static_cast<double>(mask[p * width + q]) *
                           in.values[static_cast<std::size_t>(row) * in.columns + x + q - centre];
            }
            out[static_cast<std::size_t>(y) * in.columns + x] = static_cast<float>(sum);
        }
    }
    return out;
}

inline std::vector<float> reference(const Image& in, const std::vector<float>& mask, int width) {
    return reference(in, mask, width, width / 2);
}

/// Recognizes results of common mistakes with the mask.
inline void expect_mistakes(kit::Case& test, const Image& in, const std::vector<float>& mask, int width) {
    if (in.size() < 4 || width < 2 || width > 5) return;
    const auto differs = [&](const std::vector<float>& other, const char* sentence) {
        test.mistake(kit::Diagnosis::wrong_value, reference(in, other, width), sentence);
    };
    differs({mask.rbegin(), mask.rend()},
            "this is the result with the mask turned by 180 degrees: mask[0][0] "
            "belongs to the neighbour above on the left");
    std::vector<float> other = mask;
    for (int p = 0; p < width; ++p)
        for (int q = 0; q < width; ++q) other[p * width + q] = mask[q * width + p];
    differs(other, "this is the result with rows and columns of the mask exchanged: swap the two indices");
    for (int p = 0; p < width; ++p)
        for (int q = 0; q < width; ++q) other[p * width + q] = mask[(width - 1 - p) * width + q];
    differs(other, "this is the result with the rows of the mask upside down: start with its first row");
    other = mask;
    std::fill(other.begin() + width, other.end(), 0.0f);
    differs(other, "only the first row of the mask counts: use all width * width elements");
    const std::vector<float> nothing(in.columns, 0);
    Image below = in;
    below.values.insert(below.values.end(), nothing.begin(), nothing.end());
    ++below.rows;
    const std::vector<float> rows_below = reference(below, mask, width);
    test.mistake(kit::Diagnosis::block_offset,
                 std::vector<float>(rows_below.begin() + in.columns, rows_below.end()),
                 "every row of the result is one row too high: check the first row that you read");
    if (width % 2 == 0) {
        test.mistake(kit::Diagnosis::shifted, reference(in, mask, width, (width - 1) / 2),
                     "the centre of the mask is one element too early: use element width / 2, even if the "
                     "width is even");
    }
}

/// The tasks that wrong values point to, for a mask of this width, unless elements are never written; null: the test's map decides.
inline std::vector<int> (*tasks_of_width)(int width) = nullptr;

inline void judge(kit::Case& test, const Convolution2d& function, const Image& image, int width,
                  const std::vector<float>& mask) {
    auto in = test.input("in", image.values);
    auto on_host = test.host_input("mask", mask);
    auto out = test.output<float>("out", image.size());
    const cudaError_t error = test.call(
        [&] { return function(in.data(), image.rows, image.columns, on_host.data(), width, out.data()); });
    test.equal("the error code", std::string(cudaGetErrorName(error)), std::string("cudaSuccess"),
               "find the call that returns this error, and check its arguments");
    expect_mistakes(test, image, mask, width);
    const std::vector<float> got = out.values();
    if (tasks_of_width != nullptr && std::none_of(got.begin(), got.end(), kit::detail::is_poison<float>))
        test.values_are_of(tasks_of_width(width));
    test.expect(out, reference(image, mask, width), kit::exact(), image.shape());
    expect_work(test, image.size());
}

inline void judge_size(kit::Case& test, const Convolution2d& function, int rows, int columns, int width) {
    judge(test, function, make_image(test.random(), rows, columns), width,
          make_mask(test.random(), static_cast<std::size_t>(width) * width));
}

/// The example of the lecture: (2, 2) is 321. Its mask is symmetric, so it proves little.
inline void judge_example(kit::Case& test, const Convolution2d& function) {
    const Image image = {7, 7, {1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7,
                                8, 5, 6, 5, 6, 7, 8, 5, 6, 7, 6, 7, 8, 9, 0, 1, 2, 7, 8, 9, 0, 1, 2, 3}};
    const std::vector<float> mask = {1, 2, 3, 2, 1, 2, 3, 4, 3, 2, 3, 4, 5,
                                     4, 3, 2, 3, 4, 3, 2, 1, 2, 3, 2, 1};
    test.check(reference(image, mask, 5)[2 * 7 + 2] == 321, "the reference is at fault");
    judge(test, function, image, 5, mask);
}

/// A single 1 in the image, at corners and edges of tiles: the output is the reversed mask around it.
inline void judge_spots(kit::Case& test, const Convolution2d& function, int rows, int columns, int width,
                        const std::vector<std::pair<int, int>>& spots) {
    for (const auto& [y, x] : spots) {
        Image image = {rows, columns, std::vector<float>(static_cast<std::size_t>(rows) * columns, 0)};
        image.values[static_cast<std::size_t>(y) * columns + x] = 1;
        judge(test, function, image, width,
              make_mask(test.random(), static_cast<std::size_t>(width) * width));
    }
}

inline void judge_floats(kit::Case& test, const Convolution2d& function, int rows, int columns, int width) {
    const std::size_t size = static_cast<std::size_t>(rows) * columns, weights = width * width;
    const Image image = {rows, columns, kit::heavy_tailed<float>(test.random(), size)};
    const auto mask = kit::uniform<float>(test.random(), weights, 0.25, 1);
    float largest = 0;
    for (float value : image.values) largest = std::max(largest, std::fabs(value));
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", size);
    test.call([&] { function(in.data(), rows, columns, mask.data(), width, out.data()); });
    test.expect(out, reference(image, mask, width), kit::tolerance_sum<float>(weights, largest));
}

/// The function must refuse the mask: return the error code and not change `out`.
inline void judge_refusal(kit::Case& test, const Convolution2d& function, int width) {
    const Image image = make_image(test.random(), 20, 30);
    const auto mask = make_mask(test.random(), std::max(width * width, 1));
    auto in = test.input("in", image.values);
    auto out = test.inout<float>("out", std::vector<float>(600, 7));
    const cudaError_t error =
        test.call([&] { return function(in.data(), 20, 30, mask.data(), width, out.data()); });
    test.equal(
        "the error code of a mask that does not fit", std::string(cudaGetErrorName(error)),
        std::string("cudaErrorInvalidValue"),
        "compare the width with the largest one before you copy, and return this error if it is larger");
    test.expect(out, std::vector<float>(600, 7));
}

/// The executor takes seconds for the products of a large mask. Such a case runs once; other cases vary the order of threads.
inline kit::CaseOptions options_for(int rows, int columns, int width) {
    return {10, 1.0 * rows * columns * width * width > 200'000};
}

inline std::string size_text(int rows, int columns, int width) {
    return std::to_string(rows) + " x " + std::to_string(columns) + ", width " + std::to_string(width);
}

/// Each of `sizes` is rows, columns, width.
inline void add_cases(kit::Grader& grader, const Convolution2d& function,
                      const std::vector<std::array<int, 3>>& sizes) {
    grader.add("the example: 7 x 7, width 5", [=](kit::Case& test) { judge_example(test, function); });
    for (const auto& [rows, columns, width] : sizes) {
        grader.add(
            size_text(rows, columns, width),
            [=, r = rows, c = columns, w = width](kit::Case& test) { judge_size(test, function, r, c, w); },
            options_for(rows, columns, width));
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("2 x 2,099,203, width 3", [=](kit::Case& test) { judge_size(test, function, 2, 2099203, 3); },
               {60, true});
#endif
    grader.add("heavy tails, 37 x 51, width 5",
               [=](kit::Case& test) { judge_floats(test, function, 37, 51, 5); });
    grader.add("calls with masks of other widths", [=](kit::Case& test) {
        for (int width : {5, 3, 8, 1, 4}) judge_size(test, function, 21, 35, width);
    });
    for (int width : {0, convolution::kMaxWidth2d + 1}) {
        grader.add("a mask that does not fit: width " + std::to_string(width),
                   [=](kit::Case& test) { judge_refusal(test, function, width); });
    }
}

}  // namespace convolution_test
