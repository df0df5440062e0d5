// Grades 05_convolution/conv2d_separable: rows, then columns, in two launches and in one.
#include "05_convolution/two_dimensions.hpp"

namespace {

using namespace convolution_test;

struct Factors {
    std::vector<float> down, across;

    Factors(kit::Random& random, int width)
        : down(make_mask(random, width)), across(make_mask(random, width)) {
        if (down == across) down[0] = down[0] == 9 ? 8 : 9;
    }
};

/// Convolves all rows with `across`, or all columns with `down`. Exact as long as the sums are below 2^24.
std::vector<float> convolved(const Image& in, const std::vector<float>& mask, bool rows) {
    const int width = static_cast<int>(mask.size()), centre = width / 2;
    std::vector<float> out(in.size());
    for (int y = 0; y < in.rows; ++y) {
        for (int x = 0; x < in.columns; ++x) {
            double sum = 0;
            for (int k = 0; k < width; ++k) {
                const int v = rows ? y : y + k - centre, u = rows ? x + k - centre : x;
                if (v < 0 || v >= in.rows || u < 0 || u >= in.columns) continue;
                sum += static_cast<double>(mask[k]) * in.values[static_cast<std::size_t>(v) * in.columns + u];
            }
            out[static_cast<std::size_t>(y) * in.columns + x] = static_cast<float>(sum);
        }
    }
    return out;
}

Image after_rows(const Image& in, const Factors& factors) {
    return {in.rows, in.columns, convolved(in, factors.across, true)};
}

/// Small integers, so that the sums of wide masks are exact, too.
Image small_image(kit::Random& random, int rows, int columns) {
    return {rows, columns, kit::integers<float>(random, static_cast<std::size_t>(rows) * columns, -20, 20)};
}

void expect_result(kit::Case& test, const Image& image, const Factors& factors,
                   const kit::Output<float>& out) {
    const Factors& f = factors;
    const Image rows_only = after_rows(image, f);
    if (image.size() >= 4) {
        const Image exchanged = {image.rows, image.columns, convolved(image, f.down, true)};
        test.mistake(kit::Diagnosis::wrong_value, convolved(exchanged, f.across, false),
                     "this is the result with `down` and `across` exchanged: swap them");
        test.mistake(kit::Diagnosis::wrong_value, rows_only.values,
                     "this is the result of the rows alone: apply the columns, too");
        test.mistake(kit::Diagnosis::wrong_value, convolved(image, f.down, false),
                     "this is the result of the columns alone: apply the rows, too");
    }
    test.expect(out, convolved(rows_only, f.down, false), kit::exact(), image.shape());
}

/// Checks `scratch` first, to determine which of the two launches is wrong.
void judge_two_launches(kit::Case& test, int rows, int columns, int width) {
    const Image image = small_image(test.random(), rows, columns);
    const Factors factors(test.random(), width);
    auto in = test.input("in", image.values);
    auto scratch = test.output<float>("scratch", image.size());
    auto out = test.output<float>("out", image.size());
    const cudaError_t error = test.call([&] {
        return convolution::conv2d_separable(in.data(), rows, columns, factors.down.data(),
                                             factors.across.data(), width, scratch.data(), out.data());
    });
    test.equal("the error code", std::string(cudaGetErrorName(error)), std::string("cudaSuccess"),
               "find the call that returns this error, and check its arguments");
    test.expect(scratch, after_rows(image, factors).values, kit::exact(), image.shape());
    expect_result(test, image, factors, out);
    expect_work(test, image.size() * 2);
}

void judge_fused(kit::Case& test, int rows, int columns, int width) {
    const Image image = small_image(test.random(), rows, columns);
    const Factors factors(test.random(), width);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    const cudaError_t error = test.call([&] {
        return convolution::conv2d_separable_fused(in.data(), rows, columns, factors.down.data(),
                                                   factors.across.data(), width, out.data());
    });
#ifdef KIT_CPU
    const auto kernels = kit::cpu::counters().kernels;
    test.demand("kernels", kit::at_most(kernels, 1),
                kit::count_of(kernels, "kernel", "were") +
                    " launched, but only one is allowed: do both passes in it");
#endif
    test.equal("the error code", std::string(cudaGetErrorName(error)), std::string("cudaSuccess"),
               "find the call that returns this error, and check its arguments");
    expect_result(test, image, factors, out);
    expect_work(test, image.size());
}

void judge_several_calls(kit::Case& test) {
    for (int width : {5, 3, 8, 1, 4}) judge_two_launches(test, 21, 35, width);
    for (int width : {5, 15, 8, 1, 4}) judge_fused(test, 21, 35, width);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("05_convolution", "conv2d_separable", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::race, kit::Diagnosis::barrier,
                    kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::wrong_value});
    const std::vector<std::array<int, 3>> sizes = {{0, 5, 3},    {5, 0, 3},    {1, 1, 3},    {1, 50, 5},
                                                   {50, 1, 5},   {17, 33, 3},  {16, 36, 4},  {40, 71, 5},
                                                   {8, 516, 5},  {19, 28, 9},  {18, 27, 8},  {11, 24, 15},
                                                   {12, 21, 14}, {33, 36, 31}, {35, 13, 30}, {2, 3, 31}};
    for (const auto& [rows, columns, width] : sizes) {
        grader.add(
            "two launches: " + size_text(rows, columns, width),
            [r = rows, c = columns, w = width](kit::Case& test) { judge_two_launches(test, r, c, w); });
    }
    for (const auto& [rows, columns, width] : sizes) {
        grader.add("one launch: " + size_text(rows, columns, width),
                   [r = rows, c = columns, w = width](kit::Case& test) { judge_fused(test, r, c, w); });
    }
#ifndef KIT_CPU
    grader.add("one launch: 1030 x 1540, width 9", [](kit::Case& test) { judge_fused(test, 1030, 1540, 9); },
               {60, true});
#endif
    grader.add("calls with masks of other widths", judge_several_calls);
    for (int width : {0, convolution::kMaxWidth2d + 1}) {
        grader.add("a mask that does not fit: width " + std::to_string(width), [width](kit::Case& test) {
            const auto with_scratch = [&](const float* in, int rows, int columns, const float* mask,
                                          int count, float* out) {
                kit::DeviceBuffer<float> scratch(static_cast<std::size_t>(rows) * columns);
                return convolution::conv2d_separable(in, rows, columns, mask, mask, count, scratch.data(),
                                                     out);
            };
            const auto fused = [](const float* in, int rows, int columns, const float* mask, int count,
                                  float* out) {
                return convolution::conv2d_separable_fused(in, rows, columns, mask, mask, count, out);
            };
            judge_refusal(test, with_scratch, width);
            judge_refusal(test, fused, width);
        });
    }
    return grader.run();
}
