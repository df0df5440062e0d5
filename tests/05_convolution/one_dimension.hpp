// Shared by the tests in one dimension: the reference, the cases, and the mistakes that can be recognized from the values.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "05_convolution/05_convolution.hpp"
#include "grader.cuh"

namespace convolution_test {

/// A function that takes the mask from the host. The test wraps conv1d_basic into one.
using Convolution1d =
    std::function<cudaError_t(const float* in, int n, const float* mask, int width, float* out)>;

/// Computes the definition, accumulated in double. `centre` is the element of the mask that lies over the output.
inline std::vector<float> reference(const std::vector<float>& in, const std::vector<float>& mask,
                                    int centre) {
    const int n = static_cast<int>(in.size()), width = static_cast<int>(mask.size());
    std::vector<float> out(n);
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = 0; k < width; ++k) {
            const int j = i + k - centre;
            if (j >= 0 && j < n) sum += static_cast<double>(mask[k]) * in[j];
        }
        out[i] = static_cast<float>(sum);
    }
    return out;
}

inline std::vector<float> reference(const std::vector<float>& in, const std::vector<float>& mask) {
    return reference(in, mask, static_cast<int>(mask.size()) / 2);
}

/// Returns integers from -9 to 9 except 0. The mask is not a palindrome, so an element that is missing or misplaced is detected.
inline std::vector<float> make_mask(kit::Random& random, std::size_t count) {
    auto mask = kit::integers<float>(random, count, 1, 9);
    for (float& value : mask) value = random.next() % 2 ? value : -value;
    if (count > 1 && mask.front() == mask.back()) mask.back() = mask.front() == 9 ? 8 : mask.front() + 1;
    return mask;
}

/// Recognizes results of common mistakes.
inline void expect_mistakes(kit::Case& test, const std::vector<float>& in, const std::vector<float>& mask) {
    const int n = static_cast<int>(in.size()), width = static_cast<int>(mask.size());
    if (n < 4 || width < 2) return;
    const std::vector<float> turned(mask.rbegin(), mask.rend());
    test.mistake(kit::Diagnosis::wrong_value, reference(in, turned),
                 "this is the result with the mask reversed: multiply mask[0] by the leftmost neighbour");
    if (width % 2 == 0) {
        test.mistake(kit::Diagnosis::shifted, reference(in, mask, (width - 1) / 2),
                     "the centre of the mask is one element too early: use element width / 2, even if the "
                     "width is even");
    }
    const int left = width / 2, right = width - 1 - left;
    std::vector<float> extended(left, in.front());
    extended.insert(extended.end(), in.begin(), in.end());
    extended.insert(extended.end(), right, in.back());
    const std::vector<float> whole = reference(extended, mask);
    test.mistake(kit::Diagnosis::wrong_value,
                 std::vector<float>(whole.begin() + left, whole.begin() + left + n),
                 "a ghost has the value of the nearest element: let it count as 0");
    std::vector<float> clipped = mask;
    clipped.back() = 0;
    test.mistake(kit::Diagnosis::wrong_value, reference(in, clipped),
                 "the last element of the mask is left out: loop over all width elements");
}

/// The task that launches the kernel; 1 if the launch is given.
inline int task_of_launch = 1;

/// Checks the counted work, because work on the host and repeated work also give correct values.
inline void expect_work(kit::Case& test, std::size_t outputs, int task_of_stores = 1) {
    if (outputs > 0) test.by_kernels(kit::named_task(task_of_launch));
    test.stored_at_most(outputs * sizeof(float), kit::named_task(task_of_stores));
}

/// The task to which wrong values point if the whole mask has been copied; 0: none.
inline int task_with_whole_mask = 0;

/// Judges integers whose sums a float represents exactly; the results are compared exactly.
inline void judge(kit::Case& test, const Convolution1d& function, const std::vector<float>& values,
                  int width) {
    const auto mask = make_mask(test.random(), width);
    auto in = test.input("in", values);
    auto on_host = test.host_input("mask", mask);
    auto out = test.output<float>("out", values.size());
    [[maybe_unused]] std::uint64_t copied = 0;  // read inside the call, because the grader copies, too
    const cudaError_t error = test.call([&] {
#ifdef KIT_CPU
        const std::uint64_t before = kit::cpu::counters().copied_bytes;
#endif
        const cudaError_t result =
            function(in.data(), static_cast<int>(values.size()), on_host.data(), width, out.data());
#ifdef KIT_CPU
        copied = kit::cpu::counters().copied_bytes - before;
#endif
        return result;
    });
    test.equal("the error code of a mask that fits (widths 1 to kMaxWidth)",
               std::string(cudaGetErrorName(error)), std::string("cudaSuccess"),
               "refuse only widths above kMaxWidth");
#ifdef KIT_CPU
    if (task_with_whole_mask > 0 && copied >= mask.size() * sizeof(float))
        test.values_are_of({task_with_whole_mask});
#endif
    expect_mistakes(test, values, mask);
    test.expect(out, reference(values, mask));
    expect_work(test, values.size());
}

inline void judge_size(kit::Case& test, const Convolution1d& function, int n, int width) {
    judge(test, function, kit::integers<float>(test.random(), n, -100, 100), width);
}

/// Judges arbitrary numbers, with the tolerance of a sum of `width` products.
inline void judge_floats(kit::Case& test, const Convolution1d& function, int n, int width) {
    const auto values = kit::heavy_tailed<float>(test.random(), n);
    const auto mask = kit::uniform<float>(test.random(), width, 0.25, 1);
    float largest = 0;
    for (float value : values) largest = std::max(largest, std::fabs(value));
    auto in = test.input("in", values);
    auto out = test.output<float>("out", n);
    test.call([&] { function(in.data(), n, mask.data(), width, out.data()); });
    test.expect(out, reference(values, mask), kit::tolerance_sum<float>(width, largest));
}

/// Calls the function repeatedly with masks of different widths: the previous mask must not affect the result.
inline void judge_calls(kit::Case& test, const Convolution1d& function, const std::vector<int>& widths) {
    for (int width : widths) judge_size(test, function, 700, width);
}

/// The function must refuse the mask: return the error code, not change `out`, and not launch.
inline void judge_refusal(kit::Case& test, const Convolution1d& function, int width) {
    const auto values = kit::integers<float>(test.random(), 300, -100, 100);
    const auto mask = make_mask(test.random(), std::max(width, 1));
    auto in = test.input("in", values);
    auto out = test.inout<float>("out", std::vector<float>(300, 7));
    const cudaError_t error =
        test.call([&] { return function(in.data(), 300, mask.data(), width, out.data()); });
    test.equal("the error code of a mask that does not fit", std::string(cudaGetErrorName(error)),
               std::string("cudaErrorInvalidValue"),
               "compare the width with kMaxWidth before you copy, and return this error if it is larger");
    test.expect(out, std::vector<float>(300, 7));
}

/// Sizes around the block with a narrow mask; then masks of all kinds at a ragged size.
inline void add_cases(kit::Grader& grader, const Convolution1d& function, const std::vector<int>& widths) {
    for (int n : kit::sizes(convolution::kBlock, 20000)) {
        grader.add("n=" + std::to_string(n) + ", width 5",
                   [=](kit::Case& test) { judge_size(test, function, n, 5); });
    }
    for (int width : widths) {
        grader.add("n=1003, width " + std::to_string(width),
                   [=](kit::Case& test) { judge_size(test, function, 1003, width); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=17000003, width 3", [=](kit::Case& test) { judge_size(test, function, 17000003, 3); },
               {60, true});
#endif
    const int widest = *std::max_element(widths.begin(), widths.end());
    grader.add("a mask wider than the input, n=3, width " + std::to_string(widest),
               [=](kit::Case& test) { judge_size(test, function, 3, widest); });
    grader.add("the last block has one output, n=513, width 9", [=](kit::Case& test) {
        judge(test, function, kit::spikes<float>(test.random(), 513, convolution::kBlock), 9);
    });
    grader.add("heavy tails, n=3001, width 7",
               [=](kit::Case& test) { judge_floats(test, function, 3001, 7); });
    grader.add("calls with masks of other widths", [=](kit::Case& test) {
        judge_calls(test, function, {9, 3, widest, 2, 5});
    });
}

}  // namespace convolution_test
