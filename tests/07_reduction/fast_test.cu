// Grades 07_reduction/fast: any size and alignment, repeated calls with the same bits. Shows how fast it
// is.
#include <cstdio>
#include <string>
#include <vector>

#include "07_reduction/shared_work.hpp"
#include "07_reduction/whole_sum.hpp"
#include "kit.cuh"

namespace {

using namespace reduction_test;

/// The array starts `offset` elements after an address that is a multiple of 256 bytes. Reading the values before it changes
/// the sum. The guard zone after it is NaN.
void judge(kit::Case& test, std::vector<float> values, int offset, bool exact) {
    const std::size_t n = values.size();
    values.insert(values.begin(), offset, 1e30f);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 1);
    CheckedWorkspace workspace(test);
    test.call([&] { reduction::fast(in.data() + offset, n, out.data(), workspace.get()); });
    const Sums want = reference(values, offset, n);
    if (exact) {
        auto part = [&](std::size_t first, std::size_t count) {
            return std::vector<float>{static_cast<float>(reference(values, offset + first, count).sum)};
        };
        const std::size_t head = std::min<std::size_t>(n, (4 - offset % 4) % 4);
        const std::size_t tail = (n - head) % 4;
        if (head > 0) {
            test.mistake(kit::Diagnosis::tail, part(head, n - head),
                         "the first elements are left out: add those before an address that is a "
                         "multiple of 16 bytes");
        }
        if (tail > 0) {
            test.mistake(kit::Diagnosis::tail, part(0, n - tail),
                         "the last elements are left out: add those that do not fill "
                         "a float4");
        }
    }
    test.expect(out, {static_cast<float>(want.sum)},
                exact ? kit::exact() : kit::tolerance_sum<float>(n, want.magnitude));
    workspace.expect_ready(test);
}

std::vector<float> small_integers(kit::Case& test, std::size_t n) {
    return kit::integers<float>(test.random(), n, 1, n > 1000000 ? 4 : 200);  // sum: below 2^24, never 0
}

void judge_several_calls(kit::Case& test) {
    auto out = test.output<float>("out", 1);
    CheckedWorkspace workspace(test);
    for (int n : {50000, 100, 0, 70000, 1, 50000}) {
        auto values = small_integers(test, n);
        auto in = test.input("in", values);
        out.reset();
        test.call([&] { reduction::fast(in.data(), n, out.data(), workspace.get()); });
        test.expect(out, {static_cast<float>(reference(values, 0, n).sum)}, kit::exact());
        workspace.expect_ready(test);
    }
}

#ifdef KIT_CPU
void count_launches(kit::Case& test) {
    const auto values = small_integers(test, 60000);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 1);
    CheckedWorkspace workspace(test);
    const auto kernels = shared_work::call(test, in, values.size(), [&] {
                             reduction::fast(in.data(), values.size(), out.data(), workspace.get());
                         }).kernels;
    test.check(kernels == 1,
               kit::count_of(kernels, "kernel", "were") +
                   " launched, but only one is allowed: let the last block add the partial sums");
    test.expect(out, {static_cast<float>(reference(values, 0, values.size()).sum)}, kit::exact());
}
#endif

/// Shows the time, which is never graded, and checks the sum of the timed run.
#ifndef KIT_CPU
void tell_speed(kit::Case& test) {
    constexpr std::size_t n = std::size_t{1} << 26;
    const auto piece = kit::uniform<float>(test.random(), 1000003, 0, 1);
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = piece[i % piece.size()];
    kit::DeviceBuffer<float> in(values);
    auto out = test.output<float>("out", 1);
    CheckedWorkspace workspace(test);
    kit::Timing timing;
    test.call([&] {
        timing =
            kit::time([&] { reduction::fast(in.data(), n, out.data(), workspace.get()); }, n * sizeof(float));
    });
    const Sums want = reference(values, 0, n);
    test.expect(out, {static_cast<float>(want.sum)}, kit::tolerance_sum<float>(n, want.magnitude));
    char text[120];
    std::snprintf(text, sizeof text, "%.1f us, %.0f GB/s, %.0f%% of the bandwidth of a copy",
                  timing.median_ms * 1e3, timing.gb_per_s, timing.fraction_of_copy * 100);
    test.note(timing.valid ? text : std::string("not a valid time: ") + timing.reason);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "fast", argc, argv);
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::nan, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::cuda_error});
    grader.task(1, kit::About().rule(kit::facts::Rule::misaligned));  // any line: the head decides
    grader.task(2, {kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::race, kit::Diagnosis::second_call});
    for (int n : kit::sizes(8192)) {
        grader.add("n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, small_integers(test, n), 0, true); });
    }
    for (int offset = 1; offset < 4; ++offset) {
        grader.add(
            "in is " + kit::count_of(4 * offset, "byte") + " past a multiple of 16",
            [offset](kit::Case& test) {
                for (int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002, 1003, 8192, 8193, 30003}) {
                    judge(test, small_integers(test, n), offset, true);
                }
            });
    }
    grader.add(
        "more elements than one round of the grid takes",
        [](kit::Case& test) { judge(test, small_integers(test, 3500003), 1, true); }, large);
    grader.add("heavy tails, n=50021", [](kit::Case& test) {
        judge(test, kit::heavy_tailed<float>(test.random(), 50021), 2, false);
    });
    grader.add("several calls, one workspace", judge_several_calls);
    grader.add("equal calls, equal bits, n=200003", [](kit::Case& test) {
        expect_same_bits<float>(test, reduction::fast, many_magnitudes(test.random(), 200003));
    });
#ifdef KIT_CPU
    grader.add("launches, counted", count_launches);
#else
    grader.add("the speed of 2^26 values", tell_speed, {60});
#endif
    return grader.run();
}
