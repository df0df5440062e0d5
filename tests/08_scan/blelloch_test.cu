// Grades 08_scan/blelloch: exclusive tile scans by two sweeps (v3), and laid out without bank conflicts (v4).
#include <set>

#include "08_scan/tile_scans.hpp"

namespace {

/// Returns the largest number of lanes of a warp that access the same bank, over all accesses of both sweeps.
struct Conflicts {
    int lanes = 0, stride = 0;
};

Conflicts worst_conflict(const std::vector<int>& place) {
    Conflicts worst;
    for (int stride = 1; stride < scan::kTile; stride *= 2) {
        for (int warp = 0; warp < scan::kBlock / 32; ++warp) {
            for (int child : {0, stride}) {
                std::vector<int> lanes_in(32);
                for (int t = warp * 32; t < warp * 32 + 32; ++t) {
                    const int right = (t + 1) * 2 * stride - 1;
                    if (right >= scan::kTile) continue;
                    const int lanes = ++lanes_in[place[right - child] % 32];
                    if (lanes > worst.lanes) worst = {lanes, stride};
                }
            }
        }
    }
    return worst;
}

void judge_places(kit::Case& test) {
    std::vector<int> place(scan::kTile);
    for (int i = 0; i < scan::kTile; ++i) place[i] = scan::padded_place(i);
    const std::set<int> different(place.begin(), place.end());
    test.check(
        different.size() == place.size(),
        "two elements of the tile share a place: let padded_place() return a different place for each");
    test.check(*different.begin() >= 0 && *different.rbegin() < scan::kTile + scan::kTile / 16,
               "the tile spreads over more than " + kit::count_of(scan::kTile + scan::kTile / 16, "place") +
                   ": pad with fewer");
    if (different.size() != place.size() || *different.begin() < 0) return;
    const Conflicts worst = worst_conflict(place);
    test.demand("bank conflicts", kit::exactly(worst.lanes, 1),
                kit::count_of(worst.lanes, "lane") + " of a warp use the same bank when the stride is " +
                    std::to_string(worst.stride) + ": pad as in " + kit::named_task(4) + ", \"padding\"");
}

}  // namespace

int main(int argc, char** argv) {
    using scan_test::Kind;
    kit::Grader grader("08_scan", "blelloch", argc, argv);
    grader.task(2, kit::About().between(1, 2));  // the root is cleared too early
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::shifted, kit::Diagnosis::race});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::out_of_bounds});
    constexpr std::size_t tile = scan::kTile;
    constexpr int steps = scan_test::log2_of(tile);
    const scan_test::Cost cost = {"Blelloch's scan", 2 * (tile - 1), 2 * steps};
    scan_test::add_cases(grader, Kind::exclusive, tile, scan_test::all_sizes(tile), scan::blelloch<int>,
                         scan::blelloch<scan::Segmented>, scan::blelloch<scan::Counted>, cost, "sweeps: ");
    scan_test::add_cases(grader, Kind::exclusive, tile, scan_test::some_sizes(tile),
                         scan::blelloch_padded<int>, scan::blelloch_padded<scan::Segmented>,
                         scan::blelloch_padded<scan::Counted>, cost, "padded: ");
    grader.add("padded: places and banks", judge_places);
    return grader.run();
}
