// Grades 08_scan/brent_kung: inclusive tile scans with at most 2 N - 2 - log2(N) additions.
#include "08_scan/tile_scans.hpp"

int main(int argc, char** argv) {
    using scan_test::Kind;
    kit::Grader grader("08_scan", "brent_kung", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted, kit::Diagnosis::out_of_bounds});
    constexpr std::size_t tile = scan::kTile;
    constexpr int steps = scan_test::log2_of(tile);
    const scan_test::Cost cost = {"Brent and Kung's scan", 2 * tile - 2 - steps, 2 * steps - 1};
    scan_test::add_cases(grader, Kind::inclusive, tile, scan_test::all_sizes(tile), scan::brent_kung<int>,
                         scan::brent_kung<scan::Segmented>, scan::brent_kung<scan::Counted>, cost);
    return grader.run();
}
