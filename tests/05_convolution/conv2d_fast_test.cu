// Grades 05_convolution/conv2d_fast: all four kernels, with strips that end in the middle of a step, images smaller and
// larger than a tile, rows of any length, widths on both sides of a switch, and the number of launches and threads.
#include "05_convolution/two_dimensions.hpp"

namespace {

using namespace convolution_test;

#ifdef KIT_CPU
/// Demands at least 16 outputs per thread, such as four columns of several rows, because they make the kernel fast.
void count_threads(kit::Case& test) {
    const int rows = 64, columns = 512;
    const Image image = make_image(test.random(), rows, columns);
    const auto mask = make_mask(test.random(), 9);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    kit::cpu::reset_counters();
    test.call([&] { convolution::conv2d_fast(in.data(), rows, columns, mask.data(), 3, out.data()); });
    const auto counters = kit::cpu::counters();
    test.demand("threads", kit::at_most(counters.threads, image.size() / 16),
                kit::count_of(counters.threads, "thread") + " computed " +
                    kit::count_of(image.size(), "output") +
                    ": let each compute 16 or more, such as four columns of several rows");
    test.demand("kernels", kit::exactly(counters.kernels, 1),
                kit::count_of(counters.kernels, "kernel", "were") +
                    " launched, expected 1: compute all outputs in one launch");
    test.expect(out, reference(image, mask, 3));
}

/// Demands a single launch for a wide mask, too.
void count_launches(kit::Case& test) {
    const Image image = make_image(test.random(), 9, 20);
    const auto mask = make_mask(test.random(), 17 * 17);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    kit::cpu::reset_counters();
    test.call([&] { convolution::conv2d_fast(in.data(), 9, 20, mask.data(), 17, out.data()); });
    const auto kernels = kit::cpu::counters().kernels;
    test.demand("kernels", kit::exactly(kernels, 1),
                kit::count_of(kernels, "kernel", "were") +
                    " launched, expected 1: compute all outputs in one launch");
    test.expect(out, reference(image, mask, 17));
}
#else
/// Shows the time, which is never graded, and checks the output of the timed run.
void tell_speed(kit::Case& test) {
    const int rows = 4096, columns = 4096;
    const Image image = make_image(test.random(), rows, columns);
    const auto mask = make_mask(test.random(), 81);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    test.call([&] { convolution::conv2d_fast(in.data(), rows, columns, mask.data(), 9, out.data()); });
    test.time([&] { convolution::conv2d_fast(in.data(), rows, columns, mask.data(), 9, out.data()); },
              8.0 * rows * columns);
    test.expect(out, reference(image, mask, 9));
}
#endif

/// Strips of 8 rows, and a mask of 5 rows: the rows of the first strip that differ show which part of the walk is wrong.
void judge_walk(kit::Case& test) {
    constexpr int rows = 16, columns = 48, width = 5, step = 4;
    const Image image = make_image(test.random(), rows, columns);
    const auto mask = make_mask(test.random(), width * width);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    test.call([&] { convolution::conv2d_fast(in.data(), rows, columns, mask.data(), width, out.data()); });
    const std::vector<float> got = out.values(), want = reference(image, mask, width);
    // Row `y` of the result has the values that belong to row `y + by`.
    const auto has_row = [&](int y, int by) {
        return std::equal(got.begin() + y * columns, got.begin() + (y + 1) * columns,
                          want.begin() + (y + by) * columns);
    };
    const auto all_rows = [&](int first, int last, int by) {
        for (int y = first; y < last; ++y)
            if (!has_row(y, by)) return false;
        return true;
    };
    kit::Said why;
    for (int by = 1; by <= width / 2; ++by) {
        const std::string rows_away = std::to_string(by) + (by == 1 ? " row " : " rows ");
        if (all_rows(0, 8 - by, by))
            why = "the rows of the first strip have the values that belong " + rows_away +
                  "below them: begin the input of a strip WIDTH / 2 rows above its first output" +
                  kit::task(3);
        if (all_rows(by, 8, -by))
            why = "the rows of the first strip have the values that belong " + rows_away +
                  "above them: store a row of outputs only after the last row below it has been read" +
                  kit::task(5);
    }
    if (why.empty() && all_rows(0, step, 0) && !has_row(step, 0) &&
        !kit::detail::is_poison(got[step * columns]))
        why =
            "the first rows of the first strip are correct, but the next ones are not: let the sums of new "
            "rows "
            "begin with 0" +
            kit::task(2);
    test.check(why.empty(), why, kit::Diagnosis::part);
    if (!why.empty() || got == want || std::any_of(got.begin(), got.end(), kit::detail::is_poison<float>))
        return;
    // Only row 0 of the image is not 0, so only the first rows of the result are not.
    Image one_row = image;
    std::fill(one_row.values.begin() + columns, one_row.values.end(), 0.0f);
    auto row_in = test.input("in", one_row.values);
    test.call(
        [&] { convolution::conv2d_fast(row_in.data(), rows, columns, mask.data(), width, out.data()); });
    const std::vector<float> rows_of_one = out.values();
    const auto end = rows_of_one.begin() + (width / 2 + 1) * columns;
    const auto is_set = [](float value) { return value != 0; };
    test.check(std::any_of(rows_of_one.begin(), end, is_set) && std::none_of(end, rows_of_one.end(), is_set),
               "a row of the image is added to the wrong rows of the result: check in which place each sum "
               "is" +
                   kit::task(1) + ", and how the sums are passed on" + kit::task(2, 5),
               kit::Diagnosis::part);
}

}  // namespace

int main(int argc, char** argv) {
    using convolution::conv2d_fast;
    kit::Grader grader("05_convolution", "conv2d_fast", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::transposed, kit::Diagnosis::shifted});
    grader.task(2, {kit::Diagnosis::nan});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::block_offset));
    grader.task(4, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted});
    // Strips up to a width of 9, tiles beyond that.
    tasks_of_width = [](int width) { return std::vector<int>{width <= 9 ? 1 : 4}; };
    grader.task(5, {kit::Diagnosis::not_written, kit::Diagnosis::race});
    grader.add("a strip of 8 rows, width 5", judge_walk);
    add_cases(grader, conv2d_fast,
              {{0, 5, 3},    {5, 0, 3},    {1, 1, 3},   {1, 50, 5},  {50, 1, 5},  {17, 33, 3},  {16, 36, 4},
               {40, 71, 5},  {8, 516, 5},  {9, 521, 3}, {19, 28, 9}, {18, 27, 8}, {3, 1030, 9}, {4, 9, 10},
               {11, 24, 15}, {12, 21, 14}, {6, 16, 31}, {5, 13, 30}, {3, 20, 16}, {1, 3, 31}});
    // Tiles have 128 x 32 outputs. The cases have seams, a tile whose whole halo is in the image, and rows of any length.
    for (const auto& [rows, columns, width] : std::vector<std::array<int, 3>>{
             {33, 132, 10}, {34, 129, 11}, {1, 260, 12}, {65, 3, 10}, {33, 130, 16}, {72, 264, 15}}) {
        grader.add(
            "tiles: " + size_text(rows, columns, width),
            [r = rows, c = columns, w = width](kit::Case& test) { judge_size(test, conv2d_fast, r, c, w); },
            {60, true});
    }
    grader.add("one value at the corner of four tiles, 40 x 136, width 15",
               [](kit::Case& test) {
                   judge_spots(test, conv2d_fast, 40, 136, 15, {{31, 127}, {32, 128}});
               },
               {60, true});
    // Strips have 8 rows if the image is small. The cases check the first and last rows of each strip, at the seams in the middle.
    grader.add("one value at the seams of strips, 18 x 520, width 5", [](kit::Case& test) {
        judge_spots(test, conv2d_fast, 18, 520, 5, {{7, 511}, {16, 512}});
    });
#ifdef KIT_CPU
    grader.add("threads, counted", count_threads, {20, true});
    grader.add("launches, counted", count_launches);
#else
    for (const auto& [rows, columns, width] : std::vector<std::array<int, 3>>{{517, 1540, 9},
                                                                              {1030, 1030, 15},
                                                                              {300, 2049, 31},
                                                                              {300, 2048, 31},
                                                                              {2000, 1028, 5},
                                                                              {2097200, 1, 15}}) {
        grader.add(
            size_text(rows, columns, width),
            [r = rows, c = columns, w = width](kit::Case& test) { judge_size(test, conv2d_fast, r, c, w); },
            {60, true});
    }
    grader.add("the speed of 4096 x 4096, width 9", tell_speed, {120, true});
#endif
    return grader.run();
}
