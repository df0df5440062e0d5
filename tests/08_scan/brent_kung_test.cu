// Grades 08_scan/brent_kung: inclusive tile scans with at most 2 N - 2 - log2(N) additions.
#include "08_scan/tile_scans.hpp"

namespace {

/// Returns the number of additions of the tree for `count` elements at the beginning of a tile, upwards and then to the right.
std::size_t additions_of(std::size_t count) {
    std::size_t additions = 0;
    for (std::size_t stride = 1; stride < count; stride *= 2) {
        additions += count / (2 * stride);             // nodes whose last element exists
        additions += (count - stride) / (2 * stride);  // elements `stride` beyond a finished one
    }
    return additions;
}

/// Judges an array that ends in the middle of a tile: elements that do not exist must cause no additions.
void judge_end(kit::Case& test, std::size_t n) {
    const auto numbers = kit::integers<int>(test.random(), n, -1000, 1000);
    auto additions = test.inout<unsigned long long>("additions", {0});
    std::vector<scan::Counted> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {numbers[i], 0, additions.data()};
    auto in = test.input("in", values);
    auto out = test.output<scan::Counted>("out", n);
    test.call([&] { scan::brent_kung(in.data(), static_cast<int>(n), out.data()); });
    std::vector<int> got;
    for (const scan::Counted& one : out.values()) got.push_back(one.value);
    test.expect<int>("values of out", got,
                     scan_test::reference(numbers, scan_test::Kind::inclusive, scan::kTile));
    const std::size_t made = additions.values()[0];
    const std::size_t needed = n / scan::kTile * additions_of(scan::kTile) + additions_of(n % scan::kTile);
    const std::size_t padded = kit::ceil_div(n, scan::kTile) * additions_of(scan::kTile);
    test.method(
        "additions", made <= needed || made > padded,
        {"a scan that needs no identity",
         "you made " + kit::count_of(made, "addition") + " for " + kit::count_of(n, "element") + ", where " +
             std::to_string(needed) + " are possible, so values stand in for the missing ones",
         "An operation such as a minimum of dates may have no identity. A scan that adds only existing "
         "elements works for every associative operation.",
         1});
    test.demand("additions", kit::at_most(made, padded),
                kit::count_of(made, "addition") + " for " + kit::count_of(n, "element") +
                    ", but even a tree over full tiles needs only " + std::to_string(padded) +
                    ": skip the additions that have no elements" + kit::task(1));
}

}  // namespace

int main(int argc, char** argv) {
    using scan_test::Kind;
    kit::Grader grader("08_scan", "brent_kung", argc, argv);
    grader.task(2, kit::About().between(2, 2));
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted, kit::Diagnosis::out_of_bounds});
    constexpr std::size_t tile = scan::kTile;
    constexpr int steps = scan_test::log2_of(tile);
    const scan_test::Cost cost = {"Brent and Kung's scan", 2 * tile - 2 - steps, 2 * steps - 1};
    scan_test::add_cases(grader, Kind::inclusive, tile, scan_test::all_sizes(tile), scan::brent_kung<int>,
                         scan::brent_kung<scan::Segmented>, scan::brent_kung<scan::Counted>, cost);
    for (std::size_t n : {2, 300, 511, 1024 + 5}) {
        grader.add("additions, counted for n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_end(test, n); });
    }
    return grader.run();
}
