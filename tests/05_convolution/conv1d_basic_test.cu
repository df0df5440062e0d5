// Grades 05_convolution/conv1d_basic: the definition, with masks of odd and even width, in device memory.
#include "01_error_handling/failing_calls.hpp"
#include "05_convolution/one_dimension.hpp"
#include "07_reduction/shared_work.hpp"

namespace {

using namespace convolution_test;

/// The mask has guard zones on both sides: a loop that reads outside of it reads NaN.
void judge_basic(kit::Case& test, const std::vector<float>& values, int width) {
    const auto mask = make_mask(test.random(), width);
    auto in = test.input("in", values);
    auto on_device = test.input("mask", mask);
    auto out = test.output<float>("out", values.size());
    const int n = static_cast<int>(values.size());
    int task_of_stores = 1;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] { convolution::conv1d_basic(in.data(), n, on_device.data(), width, out.data()); });
#ifdef KIT_CPU
    // Twice as many threads as outputs, and a block more: the grid is too large.
    if (kit::cpu::counters().threads >= 2 * values.size() + convolution::kBlock) task_of_stores = 3;
#endif
    expect_mistakes(test, values, mask);
    test.expect(out, reference(values, mask));
    expect_work(test, values.size(), task_of_stores);
}

void judge_sizes(kit::Case& test, int n, int width) {
    judge_basic(test, kit::integers<float>(test.random(), n, -100, 100), width);
}

/// Judges arbitrary numbers, with the tolerance of a sum of `width` products.
void judge_heavy_tails(kit::Case& test, int n, int width) {
    const auto values = kit::heavy_tailed<float>(test.random(), n);
    const auto mask = kit::uniform<float>(test.random(), width, 0.25, 1);
    auto in = test.input("in", values);
    auto on_device = test.input("mask", mask);
    auto out = test.output<float>("out", n);
    test.call([&] { convolution::conv1d_basic(in.data(), n, on_device.data(), width, out.data()); });
    float largest = 0;
    for (float value : values) largest = std::max(largest, std::fabs(value));
    test.expect(out, reference(values, mask), kit::tolerance_sum<float>(width, largest));
}

#ifdef KIT_CPU
void count_threads(kit::Case& test) {
    const auto values = kit::integers<float>(test.random(), 2000, -100, 100);
    const auto mask = make_mask(test.random(), 5);
    auto in = test.input("in", values);
    auto on_device = test.input("mask", mask);
    auto out = test.output<float>("out", values.size());
    shared_work::call(test, in, values.size(),
                      [&] { convolution::conv1d_basic(in.data(), 2000, on_device.data(), 5, out.data()); });
    test.expect(out, reference(values, mask));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("05_convolution", "conv1d_basic", argc, argv);
    task_of_launch = 3;
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("out"));  // the guard
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::shifted, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::nan, kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::exited, kit::Diagnosis::cuda_error});
    for (int n : kit::sizes(convolution::kBlock, 20000)) {
        grader.add("n=" + std::to_string(n) + ", width 5", [n](kit::Case& test) { judge_sizes(test, n, 5); });
    }
    for (int width : {1, 2, 3, 4, 8, 31, 127, 600}) {
        grader.add("n=1003, width " + std::to_string(width),
                   [width](kit::Case& test) { judge_sizes(test, 1003, width); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=17000003, width 3", [](kit::Case& test) { judge_sizes(test, 17000003, 3); }, {60, true});
#endif
    grader.add("a mask wider than the input, n=3, width 50",
               [](kit::Case& test) { judge_sizes(test, 3, 50); });
    grader.add("spikes at the edges of the blocks, n=1283, width 9", [](kit::Case& test) {
        judge_basic(test, kit::spikes<float>(test.random(), 1283, convolution::kBlock), 9);
    });
    grader.add("heavy tails, n=3001, width 7", [](kit::Case& test) { judge_heavy_tails(test, 3001, 7); });
    grader.add("two calls", [](kit::Case& test) {
        judge_sizes(test, 700, 9);
        judge_sizes(test, 699, 4);
    });
#ifdef KIT_CPU
    grader.task(1, kit::About().demand("share of one thread").demand("threads"));
    grader.add("threads, counted", count_threads);
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"n=1003, width 4"});
    return grader.run();
}
