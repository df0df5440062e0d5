// Grades 05_convolution/conv2d_tiled: ghosts on four sides, halos between tiles, and their corners.
#include "05_convolution/two_dimensions.hpp"

namespace {

using namespace convolution_test;

#ifdef KIT_CPU
/// A shared tile needs one barrier, and one is enough.
void count_barriers(kit::Case& test) {
    const Image image = make_image(test.random(), 50, 70);
    const auto mask = make_mask(test.random(), 9);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    kit::cpu::reset_counters();
    test.call([&] { convolution::conv2d_tiled(in.data(), 50, 70, mask.data(), 3, out.data()); });
    const auto counters = kit::cpu::counters();
    test.demand("barriers", kit::exactly(counters.block_barriers, counters.blocks),
                kit::count_of(counters.blocks, "block") + " reached " +
                    kit::count_of(counters.block_barriers, "barrier") +
                    ": share a tile, and call exactly one barrier per block");
    test.expect(out, reference(image, mask, 3));
}
#endif

/// Two masks that differ after their first row.
void judge_rows_of_mask(kit::Case& test) {
    const Image image = make_image(test.random(), 20, 40);
    std::vector<float> mask = make_mask(test.random(), 9);
    auto in = test.input("in", image.values);
    auto out = test.output<float>("out", image.size());
    const auto convolve = [&] {
        out.reset();
        test.call([&] { convolution::conv2d_tiled(in.data(), 20, 40, mask.data(), 3, out.data()); });
        return out.values();
    };
    const std::vector<float> first = convolve();
    for (std::size_t i = 3; i < mask.size(); ++i) mask[i] = -mask[i];
    test.check(convolve() != first || kit::detail::is_poison(first[0]),
               "masks that differ after their first row give equal results: copy width * width elements" +
                   kit::task(3),
               kit::Diagnosis::part);
}

}  // namespace

int main(int argc, char** argv) {
    using convolution::conv2d_tiled;
    kit::Grader grader("05_convolution", "conv2d_tiled", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::tail, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::uninitialised, kit::Diagnosis::nan});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::transposed});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::first_block_only, kit::Diagnosis::exited,
                    kit::Diagnosis::cuda_error});
    add_cases(grader, conv2d_tiled,
              {{0, 5, 3},
               {5, 0, 3},
               {1, 1, 3},
               {1, 50, 5},
               {50, 1, 5},
               {16, 32, 5},
               {17, 33, 3},
               {15, 31, 4},
               {33, 70, 5},
               {17, 61, 2},
               {64, 16, 9},
               {30, 40, 15},
               {17, 20, 31},
               {2, 3, 31}});
    grader.add("one value at the corners of tiles, 33 x 65, width 5", [](kit::Case& test) {
        judge_spots(test, conv2d_tiled, 40, 70, 5,
                    {{15, 31}, {16, 32}, {15, 32}, {16, 31}, {32, 64}, {0, 0}});
    });
    grader.add(
        "one value at a corner, 20 x 40, width 25",
        [](kit::Case& test) {
            judge_spots(test, conv2d_tiled, 20, 40, 25, {{16, 32}});
        },
        options_for(20, 40, 25));
    grader.add("two masks with one first row", judge_rows_of_mask);
#ifdef KIT_CPU
    grader.add("barriers, counted", count_barriers);
#endif
    return grader.run();
}
