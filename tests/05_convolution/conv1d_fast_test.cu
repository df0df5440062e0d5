// Grades 05_convolution/conv1d_fast: every width up to 31, sizes around the tiles, and the number of threads.
#include <cstdio>

#include "05_convolution/one_dimension.hpp"

namespace {

using namespace convolution_test;

constexpr int kTile = 2048;  // outputs per block and round in the starter

/// Finds the part of the function that is wrong from the outputs that differ: those near the edges of a tile depend on the halos, and a mask
/// that is not centred gives known values. `is_padded`: the starter has no kernel for this exact width.
void judge_parts(kit::Case& test, int n, int width, bool is_padded) {
    const auto values = kit::integers<float>(test.random(), n, -100, 100);
    const auto mask = make_mask(test.random(), width);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", n);
    test.call([&] { convolution::conv1d_fast(in.data(), n, mask.data(), width, out.data()); });
    const std::vector<float> want = reference(values, mask), got = out.values();
    std::size_t wrong = 0, at_edges = 0;
    for (int i = 0; i < n; ++i) {
        if (got[i] == want[i]) continue;
        const int place = i % kTile;
        ++wrong;
        at_edges += place < width / 2 || place + width / 2 >= kTile;
    }
    test.check(wrong == 0 || wrong != at_edges,
               kit::count_of(wrong, "output", "are") + " wrong, all within " + std::to_string(width / 2) +
                   " of an edge of a tile: load the halos on both sides" + kit::task(4),
               kit::Diagnosis::part);
    for (int by = -width; by <= width; ++by)
        if (by != 0 && wrong > 1 && got == reference(values, mask, width / 2 + by))
            return test.check(
                false,
                "the results belong to a mask that is shifted by " + std::to_string(std::abs(by)) +
                    (std::abs(by) == 1 ? " element: " : " elements: ") +
                    (is_padded ? "copy the mask into the middle of the padded one" + kit::task(3)
                               : "begin the window kHalo elements before the outputs" + kit::task(1) +
                                     ", and put the mask into the middle of it" + kit::task(2)),
                kit::Diagnosis::part);
}

/// A block has taken more than one tile. The first tile of each block is right, and later ones are not.
void judge_rounds(kit::Case& test, int n) {
    const auto values = kit::integers<float>(test.random(), n, -100, 100);
    const auto mask = make_mask(test.random(), 5);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", n);
    test.call([&] { convolution::conv1d_fast(in.data(), n, mask.data(), 5, out.data()); });
    const std::vector<float> want = reference(values, mask), got = out.values();
    const auto first = std::mismatch(got.begin(), got.end(), want.begin()).first - got.begin();
    const bool second_round = first < n && first >= 100 * kTile && first % kTile == 0 &&
                              !kit::detail::is_poison(got[static_cast<std::size_t>(first)]);
    test.check(!second_round,
               "the tiles from output " + std::to_string(first) +
                   " on are wrong: take the tile gridDim.x tiles further as the next tile of a block" +
                   kit::task(5),
               kit::Diagnosis::part);
    test.expect(out, want);
}

#ifdef KIT_CPU
/// Demands at least eight outputs per thread, because they make the kernel fast.
void count_threads(kit::Case& test) {
    const int n = 40 * kTile;
    const auto values = kit::integers<float>(test.random(), n, -100, 100);
    const auto mask = make_mask(test.random(), 5);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", n);
    kit::cpu::reset_counters();
    test.call([&] { convolution::conv1d_fast(in.data(), n, mask.data(), 5, out.data()); });
    const auto counters = kit::cpu::counters();
    test.demand("threads", kit::at_most(counters.threads, n / 8 + 1024u),
                kit::count_of(counters.threads, "thread") + " computed " + kit::count_of(n, "output") +
                    ": let each compute eight");
    test.demand("kernels", kit::exactly(counters.kernels, 1),
                kit::count_of(counters.kernels, "kernel", "were") +
                    " launched, expected 1: compute all outputs in one launch");
    test.expect(out, reference(values, mask));
}
#else
/// Shows the time, which is never graded, and checks the output of the timed run.
void tell_speed(kit::Case& test) {
    constexpr int n = 1 << 24;
    const auto values = kit::integers<float>(test.random(), n, -100, 100);
    const auto mask = make_mask(test.random(), 31);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", n);
    test.call([&] { convolution::conv1d_fast(in.data(), n, mask.data(), 31, out.data()); });
    test.time([&] { convolution::conv1d_fast(in.data(), n, mask.data(), 31, out.data()); }, 8.0 * n);
    test.expect(out, reference(values, mask));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    using convolution::conv1d_fast;
    kit::Grader grader("05_convolution", "conv1d_fast", argc, argv);
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted});
    grader.task(3, {kit::Diagnosis::shifted, kit::Diagnosis::crash});
    grader.task(4, {kit::Diagnosis::tail, kit::Diagnosis::uninitialised});
    grader.task(5, {kit::Diagnosis::race, kit::Diagnosis::uninitialised});
    grader.task(5, kit::About()
                       .fix(kit::facts::Fix::barrier)
                       .fix(kit::facts::Fix::own_place));  // wherever the two accesses are
    for (int width : {5, 9, 10})
        grader.add("n=6000, width " + std::to_string(width) + ", where outputs are wrong",
                   [width](kit::Case& test) { judge_parts(test, 6000, width, width == 10); });
    for (int n : {0, 1, 3, 4, 2047, 2048, 2049, 6000, 9001}) {
        grader.add("n=" + std::to_string(n) + ", width 9",
                   [=](kit::Case& test) { judge_size(test, conv1d_fast, n, 9); });
    }
    for (int width = 1; width <= convolution::kMaxWidth2d; ++width) {
        grader.add("n=2100, width " + std::to_string(width),
                   [=](kit::Case& test) { judge_size(test, conv1d_fast, 2100, width); });
    }
    grader.add("a mask wider than the input, n=3, width 31",
               [](kit::Case& test) { judge_size(test, conv1d_fast, 3, 31); });
    grader.add("spikes at the edges of the tiles, n=8200, width 31", [](kit::Case& test) {
        judge(test, conv1d_fast, kit::spikes<float>(test.random(), 8200, kTile), 31);
    });
    grader.add("heavy tails, n=3001, width 15",
               [](kit::Case& test) { judge_floats(test, conv1d_fast, 3001, 15); });
    // More tiles than an H200 holds blocks at the same time, so that a block processes a second tile.
    grader.add("more tiles than blocks, n=1150000, width 5",
               [](kit::Case& test) { judge_rounds(test, 1150000); }, {60, true});
    grader.add("calls with masks of other widths", [](kit::Case& test) {
        judge_calls(test, conv1d_fast, {9, 3, 31, 2, 5});
    });
    for (int width : {0, convolution::kMaxWidth2d + 1}) {
        grader.add("a mask that does not fit: width " + std::to_string(width),
                   [width](kit::Case& test) { judge_refusal(test, conv1d_fast, width); });
    }
#ifdef KIT_CPU
    grader.add("threads, counted", count_threads);
#else
    grader.add("the speed of 2^24 values, width 31", tell_speed, {60});
#endif
    return grader.run();
}
