// Grades 08_scan/compact: which elements are kept, their order, their number, and that nothing is written after them.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "07_reduction/shared_work.hpp"
#include "08_scan/08_scan.hpp"
#include "grader.cuh"

namespace {

/// Explains a write by a thread that has no element in any round: its vote is wrong.
void explain_votes(kit::Case& test, int n) {
    const auto why = [n](const kit::facts::Finding& found) -> kit::Said {
        std::vector<kit::facts::Who> writers = {found.who};
        for (const kit::facts::Access& access : found.accesses) writers.push_back(access.who);
        for (const kit::facts::Who& who : writers)
            if (found.memory.name == "out" && who.thread.known && who.block.known &&
                who.block.at[0] * std::size_t{scan::kBlockTile} + who.thread.at[0] >= std::size_t(n))
                return "a lane without an element has voted, so let it vote no" + kit::task(3);
        return "";
    };
    test.explain(kit::Diagnosis::out_of_bounds, why);
    test.explain(kit::Diagnosis::race, why);
}

template <class Predicate>
void judge(kit::Case& test, const std::vector<int>& values, Predicate keep) {
    const int n = static_cast<int>(values.size());
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto count = test.output<int>("count", 1);
    auto scratch = test.output<int>("scratch", scan::compact_scratch(n));
    std::vector<int> want;
    std::copy_if(values.begin(), values.end(), std::back_inserter(want), keep);
    explain_votes(test, n);
    test.call([&] { scan::compact(in.data(), n, keep, out.data(), count.data(), scratch.data()); });

    int in_last_rounds = 0;
    for (int i = 0; i < n; ++i)
        in_last_rounds += i % scan::kBlockTile >= scan::kBlockTile - scan::kBlock && keep(values[i]);
    test.mistake(kit::Diagnosis::barrier, std::vector<int>{in_last_rounds},
                 "only the last round of each tile is counted: add the counts of all rounds");
    test.expect(count, {static_cast<int>(want.size())});
    std::vector<int> got = out.values();
    const std::vector<int> behind(got.begin() + static_cast<std::ptrdiff_t>(want.size()), got.end());
    got.resize(want.size());
    if (got != want && std::is_permutation(got.begin(), got.end(), want.begin())) {
        test.check(
            false,
            "the elements are correct, but in the wrong order: make the place of an element the number "
            "of kept elements before it",
            kit::Diagnosis::race);
    }
    test.expect<int>("out", got, want);
    const int untouched = kit::detail::poison<int>();
    const auto written =
        std::count_if(behind.begin(), behind.end(), [&](int value) { return value != untouched; });
    test.check(written == 0,
               "your code wrote " + kit::count_of(written, "value") + " after the " +
                   std::to_string(want.size()) + " that are kept: store only the kept ones",
               kit::Diagnosis::out_of_bounds);
}

void judge_counts(kit::Case& test, int tiles) {
    const auto values = kit::integers<int>(test.random(), tiles, 0, scan::kBlockTile);
    auto counts = test.inout<int>("counts", values);
    auto count = test.output<int>("count", 1);
    test.call([&] { scan::scan_counts(counts.data(), tiles, count.data()); });
    std::vector<int> want;
    int sum = 0;
    for (int value : values) {
        want.push_back(sum);
        sum += value;
    }
    constexpr int round = 4096;
    std::vector<int> inclusive = want;
    for (std::size_t i = 0; i < values.size(); ++i) inclusive[i] += values[i];
    const std::vector<int> got = counts.values();
    const int total = count.values()[0];
    std::size_t first = 0;
    while (first < got.size() && got[first] == want[first]) ++first;
    const auto last_round = values.begin() + std::max(tiles - 1, 0) / round * round;
    std::string why;
    if (first < got.size())
        why = "the number of tile " + std::to_string(first) + ": " + kit::detail::got_text(got[first]) +
              ", expected " + std::to_string(want[first]) +
              ", which is the sum of the counts before it. Check the scan of the counts";
    else if (total != sum)
        why = "*count: " + kit::detail::got_text(total) + ", expected " + std::to_string(sum) +
              ", which is the sum of all counts. Check where you store it";
    if (tiles > 1 && got == inclusive)
        why =
            "this is the inclusive scan of the counts: use the exclusive scan, because a tile starts where "
            "the earlier tiles end";
    else if (tiles > round && total != sum && total == std::accumulate(last_round, values.end(), 0))
        why = "only the last round counts: carry the total of each round over to the next";
    test.check(why.empty(), why + kit::task(2), kit::Diagnosis::part);
    if (tiles > 1) test.by_kernels(kit::named_task(2));
}

/// Judges only the count (Tasks 1 and 2). `out` has so much room that a count that is too large causes no out-of-bounds write,
/// which would hide the cause.
template <class Predicate>
void judge_count(kit::Case& test, const std::vector<int>& values, Predicate keep) {
    const int n = static_cast<int>(values.size());
    auto in = test.input("in", values);
    auto out = test.inout<int>("out", std::vector<int>(4 * values.size() + 8 * scan::kBlockTile, 0));
    auto count = test.output<int>("count", 1);
    auto scratch = test.output<int>("scratch", scan::compact_scratch(n));
    const auto want = std::count_if(values.begin(), values.end(), keep);
    test.call([&] { scan::compact(in.data(), n, keep, out.data(), count.data(), scratch.data()); });
    const int got = count.values()[0], beyond = (scan::kBlockTile - n % scan::kBlockTile) % scan::kBlockTile;
    test.check(got == want,
               "*count is " + std::to_string(got) + ", expected " + std::to_string(want) +
                   (got - want == beyond && keep(0)
                        ? ": do not count places after the end of `in`, which look like zeros" + kit::task(1)
                        : ": check which elements each lane counts" + kit::task(1)),
               kit::Diagnosis::part);
}

#ifdef KIT_CPU
void count_work(kit::Case& test) {
    constexpr int tiles = 12, n = tiles * scan::kBlockTile;
    const auto values = kit::integers<int>(test.random(), n, -1000, 1000);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", n);
    auto count = test.output<int>("count", 1);
    auto scratch = test.output<int>("scratch", scan::compact_scratch(n));
    const auto counters = shared_work::call(test, in, n, [&] {
        scan::compact(in.data(), n, scan::Positive{}, out.data(), count.data(), scratch.data());
    });
    test.demand("blocks", kit::at_least(counters.blocks, tiles),
                kit::count_of(counters.blocks, "block") + " for " + kit::count_of(tiles, "tile") +
                    ": give each tile its own block");
    test.equal("*count", count.values()[0],
               static_cast<int>(std::count_if(values.begin(), values.end(), scan::Positive{})),
               "add the number of kept elements of every tile to it, once");
}
#endif

std::vector<int> any_numbers(kit::Case& test, std::size_t n) {
    return kit::integers<int>(test.random(), n, -100000, 100000);
}

/// Judges values of which only one warp keeps any, and only in one round. Then only wrong offsets can move the kept elements.
void judge_one_warp(kit::Case& test) {
    constexpr int round = scan::kBlockTile / scan::kBlock - 1, first = round * scan::kBlock + 32;
    std::vector<int> values(scan::kBlockTile, -1);
    for (int i = first; i < first + 32; i += 3) values[static_cast<std::size_t>(i)] = i;
    auto in = test.input("in", values);
    auto out = test.inout<int>("out", std::vector<int>(values.size(), 0));
    auto count = test.output<int>("count", 1);
    auto scratch = test.output<int>("scratch", scan::compact_scratch(scan::kBlockTile));
    test.call([&] {
        scan::compact(in.data(), scan::kBlockTile, scan::Positive{}, out.data(), count.data(),
                      scratch.data());
    });
    std::vector<int> want;
    std::copy_if(values.begin(), values.end(), std::back_inserter(want), scan::Positive{});
    const std::vector<int> got = out.values();
    const auto found = std::search(got.begin(), got.end(), want.begin(), want.end());
    test.check(found == got.begin() || found == got.end(),
               "the kept elements begin at out[" + std::to_string(found - got.begin()) +
                   "] instead of out[0]: store the numbers in kept_by in the order of the elements, round by "
                   "round, and in each round warp by warp" +
                   kit::task(3),
               kit::Diagnosis::wrong_value);
    test.equal("the first of `out`, in their order", std::equal(want.begin(), want.end(), got.begin()), true,
               "place the kept elements in the order of the input");
}

/// Judges one tile, so that each vote has its own place: if more elements are stored than counted, the votes differ from those of the count.
void judge_votes(kit::Case& test) {
    std::vector<int> values(scan::kBlockTile);
    std::iota(values.begin(), values.end(), 1);
    auto in = test.input("in", values);
    auto out = test.inout<int>("out", std::vector<int>(values.size(), 0));
    auto count = test.output<int>("count", 1);
    auto scratch = test.output<int>("scratch", scan::compact_scratch(scan::kBlockTile));
    const scan::MultipleOf keep{7};
    test.call(
        [&] { scan::compact(in.data(), scan::kBlockTile, keep, out.data(), count.data(), scratch.data()); });
    const std::vector<int> got = out.values();
    const auto placed = std::count_if(got.begin(), got.end(), [](int value) { return value != 0; });
    const auto want = std::count_if(values.begin(), values.end(), keep);
    test.check(count.values()[0] != want || placed <= want,
               kit::count_of(want, "element", "are") + " counted, but " + std::to_string(placed) +
                   " are placed: vote with `keep`, as the count does" + kit::task(3),
               kit::Diagnosis::part);
}

/// Returns values of which about one in `distance` is kept, at random places.
std::vector<int> few(kit::Case& test, std::size_t n, std::size_t distance) {
    auto values = kit::integers<int>(test.random(), n, -1000, 0);
    for (std::size_t i = 0; i < n; i += 1 + test.random().next() % (2 * distance))
        values[i] = static_cast<int>(i + 1);
    return values;
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("08_scan", "compact", argc, argv);
    grader.task(3, kit::About().between(3, 0));  // the given scan reads incomplete counts
    grader.task(1, {kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::first_block_only, kit::Diagnosis::tail});
    grader.task(3, {kit::Diagnosis::out_of_bounds});  // votes of lanes without an element
    grader.task(4, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value, kit::Diagnosis::race,
                    kit::Diagnosis::not_written});
    // The parts are judged in order, because wrong counts make the last kernel write at unexpected places.
    for (int tiles : {0, 1, 37, 4096, 4097, 10007}) {
        grader.add("the counts of " + kit::count_of(tiles, "tile"),
                   [tiles](kit::Case& test) { judge_counts(test, tiles); });
    }
    // In one tile, a wrong count does not move any element.
    for (int n : {900, 1300, 5003}) {
        grader.add("only the count, n=" + std::to_string(n), [n](kit::Case& test) {
            judge_count(test, kit::integers<int>(test.random(), n, -9, 9), scan::MultipleOf{3});
        });
    }
    grader.add("one warp keeps in one round", judge_one_warp);
    grader.add("one tile, multiples of 7", judge_votes);
    for (int n : kit::sizes(scan::kBlockTile, 20000)) {
        grader.add("positive, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, any_numbers(test, n), scan::Positive{}); });
    }
    for (int n : {0, 1, 257, 3001}) {
        grader.add("multiples of 3, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, any_numbers(test, n), scan::MultipleOf{3}); });
    }
    grader.add("zeros count as multiples, n=1300", [](kit::Case& test) {
        judge(test, kit::integers<int>(test.random(), 1300, 0, 5), scan::MultipleOf{5});
    });
    grader.add("all are kept, n=5003", [](kit::Case& test) {
        judge(test, kit::permutation<int>(test.random(), 5003), scan::MultipleOf{1});
    });
    grader.add("none is kept, n=5003", [](kit::Case& test) {
        judge(test, kit::integers<int>(test.random(), 5003, -1000, 0), scan::Positive{});
    });
    grader.add("few are kept, n=15011",
               [](kit::Case& test) { judge(test, few(test, 15011, 700), scan::Positive{}); });
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("positive, n=67200003",
               [](kit::Case& test) { judge(test, any_numbers(test, 67200003), scan::Positive{}); },
               {60, true});
#endif
#ifdef KIT_CPU
    grader.add("work, counted", count_work);
#endif
    grader.add("two calls", [](kit::Case& test) {
        judge(test, any_numbers(test, 9001), scan::Positive{});
        judge(test, any_numbers(test, 4000), scan::MultipleOf{7});
    });
    return grader.run();
}
