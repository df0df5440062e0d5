// Grades 05_convolution/conv1d_tiled: the tile and its halo, on both sides and in the partial last block.
#include "05_convolution/one_dimension.hpp"

namespace {

using namespace convolution_test;

/// Judges inputs with one nonzero element, at the seams between blocks and at the end: only a loaded halo brings it to the next block.
void judge_halo(kit::Case& test) {
    const int n = 4 * convolution::kBlock + 3;
    for (int edge : {convolution::kBlock - 1, convolution::kBlock, 3 * convolution::kBlock, n - 1}) {
        auto values = std::vector<float>(n, 0);
        values[edge] = 100;
        judge(test, convolution::conv1d_tiled, values, 127);
    }
}

#ifdef KIT_CPU
/// A shared tile needs one barrier, and one is enough. Each of its elements is loaded once.
void count_work(kit::Case& test) {
    const auto values = kit::integers<float>(test.random(), 2000, -100, 100);
    const auto mask = make_mask(test.random(), 9);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 2000);
    kit::cpu::reset_counters();
    test.call([&] { convolution::conv1d_tiled(in.data(), 2000, mask.data(), 9, out.data()); });
    const auto counters = kit::cpu::counters();
    test.demand("barriers", kit::at_least(counters.block_barriers, counters.blocks),
                kit::count_of(counters.blocks, "block") + " reached " +
                    kit::count_of(counters.block_barriers, "barrier") +
                    ": share a tile, and call one barrier per block before its threads read it");
    test.demand("barriers", kit::at_most(counters.block_barriers, counters.blocks),
                kit::count_of(counters.blocks, "block") + " reached " +
                    kit::count_of(counters.block_barriers, "barrier") +
                    ": one per block is enough, so remove the others");
    const std::uint64_t loads = counters.global_bytes_loaded / sizeof(float),
                        tiles = 2000 + counters.blocks * 8;
    const bool sums_from_tiles = counters.shared_loads >= 2000 * 9;
    test.demand("loads", kit::at_most(loads, 2 * tiles),
                kit::count_of(loads, "value", "are") +
                    " read from global memory, but all tiles with their halos have " + std::to_string(tiles) +
                    ": " +
                    (sums_from_tiles ? "load each value once" + kit::task(1)
                                     : "compute the sums from the tile" + kit::task(2)));
    test.expect(out, reference(values, mask));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    using convolution::conv1d_tiled;
    kit::Grader grader("05_convolution", "conv1d_tiled", argc, argv);
    task_of_launch = 3;
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::tail, kit::Diagnosis::uninitialised,
                    kit::Diagnosis::out_of_bounds, kit::Diagnosis::nan});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::not_written});
    grader.task(3, {kit::Diagnosis::exited, kit::Diagnosis::cuda_error});
    add_cases(grader, conv1d_tiled, {1, 2, 3, 4, 16, 31, 126, 127});
    grader.add("one value at the edge of a block, width 127", judge_halo);
    for (int width : {0, convolution::kMaxWidth + 1, 3000}) {
        grader.add("a mask that does not fit: width " + std::to_string(width),
                   [width](kit::Case& test) { judge_refusal(test, conv1d_tiled, width); });
    }
#ifdef KIT_CPU
    grader.add("barriers and loads, counted", count_work);
#endif
    return grader.run();
}
