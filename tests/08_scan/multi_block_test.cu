// Grades 08_scan/multi_block: the exclusive scan of any number of values, even more than a tile of tiles.
#include "08_scan/tile_scans.hpp"

namespace {

using scan_test::Kind;

constexpr std::size_t tile = scan::kBlockTile;

/// Returns the result if only the first tile of the tiles' sums is scanned, and the other sums are left unchanged.
std::vector<int> with_one_tile_of_sums(const std::vector<int>& values) {
    auto result = scan_test::reference(values, Kind::exclusive, 0);
    const auto in_tiles = scan_test::reference(values, Kind::exclusive, tile);
    for (std::size_t i = tile * tile; i < values.size(); ++i) {
        const std::size_t last = std::min(i / tile * tile + tile, values.size()) - 1;
        result[i] = in_tiles[i] + in_tiles[last] + values[last];
    }
    return result;
}

void judge(kit::Case& test, const std::vector<int>& values) {
    const int n = static_cast<int>(values.size());
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto scratch = test.output<int>("scratch", scan::multi_block_scratch(n));
    if (n > 100000) test.skip_if_work_is_repeated();
    test.call([&] { scan::multi_block(in.data(), n, out.data(), scratch.data()); });
    test.watch_loads(4 * values.size() * sizeof(int) + 10000);
    scan_test::name_mistakes(test, values, Kind::exclusive, 0);
    if (values.size() > tile) {
        test.mistake(kit::Diagnosis::first_block_only, scan_test::reference(values, Kind::exclusive, tile),
                     "every tile is scanned separately: add the sums of the earlier tiles");
    }
    if (values.size() > tile) {
        const auto whole = scan_test::reference(values, Kind::exclusive, 0);
        auto first_round = scan_test::reference(values, Kind::exclusive, tile);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i % tile < static_cast<std::size_t>(scan::kBlock)) first_round[i] = whole[i];
        test.mistake(kit::Diagnosis::wrong_value, first_round,
                     "only the first " + kit::count_of(scan::kBlock, "value") +
                         " of each tile get the sum of the earlier tiles: add it to all values of a thread" +
                         kit::task(3));
    }
    if (values.size() > tile * tile) {
        test.mistake(kit::Diagnosis::block_offset, scan_test::reference(values, Kind::exclusive, tile * tile),
                     "the scan starts again after " + kit::count_of(tile * tile, "value") +
                         ": scan the sums of the tiles with several blocks, too, because they fill "
                         "more than one tile");
    }
    if (values.size() > tile * tile) {
        test.mistake(
            kit::Diagnosis::block_offset, with_one_tile_of_sums(values),
            "only the first " + std::to_string(tile) +
                " sums of tiles were scanned: scan all of them, because they fill more than one tile");
    }
    test.expect(out, scan_test::reference(values, Kind::exclusive, 0));
}

std::vector<int> numbers(kit::Case& test, std::size_t n) {
    return kit::integers<int>(test.random(), n, -1000, 1000);
}

#ifdef KIT_CPU
void count_operations(kit::Case& test) {
    constexpr int tiles = 12;
    constexpr int n = tiles * scan::kBlockTile;
    const auto values = numbers(test, n);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", n);
    auto scratch = test.output<int>("scratch", scan::multi_block_scratch(n));
    kit::cpu::reset_counters();
    std::uint64_t copied = 0;
    test.call([&] {
        scan::multi_block(in.data(), n, out.data(), scratch.data());
        copied = kit::cpu::counters().copied_bytes;
    });
    const kit::cpu::Counters counters = kit::cpu::counters();
    test.demand("bytes copied", kit::at_most(copied, tiles * sizeof(int) - 1),
                "your code copies " + kit::count_of(copied, "byte") +
                    " between device and host: let kernels scan the sums of the tiles, not the host" +
                    kit::task(4));
    // A scan of cooperative groups counts as one collective, no matter how many shuffles it uses.
    test.method("shuffles", counters.warp_collectives >= tiles * (scan::kBlock / 32),
                {"scans within a warp by shuffles",
                 "the warps of your kernels execute " + kit::count_of(counters.warp_collectives, "shuffle") +
                     ", but there are " + kit::count_of(tiles * (scan::kBlock / 32), "warp"),
                 "A scan by shuffles needs no shared memory and no barrier within a warp. The scans that "
                 "follow are built of it.",
                 1});
    // A scan whose first pass only sums the tiles stores each element once; otherwise each element is stored twice.
    const bool sums_first = counters.global_bytes_stored * 2 < 3 * n * sizeof(int);
    test.method("barriers", counters.block_barriers <= 3 * (tiles + 1) || !sums_first,
                {"scanning each tile, scanning the sums, and adding them",
                 "you sum the tiles first and scan them later (reduce, then scan), so blocks wait " +
                     kit::count_of(counters.block_barriers, "time") + " at a barrier for " +
                     kit::count_of(tiles, "tile"),
                 "Here each tile is scanned once. Reduce-then-scan writes less memory, but it walks through "
                 "every tile twice; single_pass avoids both.",
                 4});
    test.demand("barriers",
                kit::at_most(counters.block_barriers, 3 * (sums_first ? 2 * tiles + 1 : tiles + 1)),
                "a block waits " + kit::count_of(counters.block_barriers / (tiles + 1), "time") +
                    " at a barrier, but only three are allowed: reduce them as in " + kit::named_task(2) +
                    ", \"the block\"");
    test.expect(out, scan_test::reference(values, Kind::exclusive, 0));
}
#endif

/// Options of cases with many elements: one run is enough, because other cases vary the order of threads.
constexpr kit::CaseOptions large = {30, true};

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("08_scan", "multi_block", argc, argv);
    // Lanes that do not reach the shuffle, wherever they wait.
    grader.task(1, kit::About().function("__shfl_up_sync()"));
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    grader.task(2, {kit::Diagnosis::first_block_only});  // a wrong total
    grader.task(3, {kit::Diagnosis::tail});
#ifndef KIT_CPU
    grader.task(3, {kit::Diagnosis::race});  // values that differ between runs, at unknown lines
#endif
    // The sum of another tile.
    grader.task(
        3, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("scratch").kernel("multi_block_v6_add"));
    grader.task(4, kit::About().on("scratch"));
    grader.task(
        4, {kit::Diagnosis::first_block_only, kit::Diagnosis::block_offset, kit::Diagnosis::out_of_bounds});
    for (int n : kit::sizes(scan::kBlockTile, 20000)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, numbers(test, n)); });
    }
    grader.add("n=20007, spikes at the edges of the tiles",
               [](kit::Case& test) { judge(test, kit::spikes<int>(test.random(), 20007, tile)); });
    grader.add("two calls", [](kit::Case& test) {
        judge(test, numbers(test, 10011));
        judge(test, numbers(test, 2500));
    });
#ifndef KIT_CPU
    grader.add(
        "a tile of tiles, n=1048576", [](kit::Case& test) { judge(test, numbers(test, tile * tile)); },
        large);
#endif
    grader.add(
        "more than a tile of tiles, n=1050001", [](kit::Case& test) { judge(test, numbers(test, 1050001)); },
        large);
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=67200003", [](kit::Case& test) { judge(test, numbers(test, 67200003)); }, {60, true});
#endif
#ifdef KIT_CPU
    grader.add("shuffles and barriers, counted", count_operations);
#endif
    return grader.run();
}
